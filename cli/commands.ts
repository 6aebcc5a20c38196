/** The table of commands. */
import type { Command } from './command';
import { changes, patch, share } from './commands/changes';
import { completionCommand } from './commands/completion';
import { hook } from './commands/hook';
import { hooks } from './commands/hooks';
import { mcp } from './commands/mcp';
import { run } from './commands/run';
import { start, status, stop } from './commands/start';

export const COMMANDS: readonly Command[] = [
  start,
  stop,
  status,
  run,
  hooks,
  hook,
  mcp,
  changes,
  patch,
  share,
  completionCommand(() => COMMANDS),
];
