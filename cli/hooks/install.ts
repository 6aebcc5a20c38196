/** Puts Tidemark's hooks into an agent's settings and takes them out: planned first, then done. */
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HookAgent } from '@/lib/domain/hooks';
import { CommandFailure, EXIT } from '../exit-codes';
import { type Place, type Scope, settingsPath } from './agent-settings';
import { hookCommand, hookScript } from './hook-script';
import {
  hooksFolder,
  type Installation,
  keepBackup,
  readBackup,
  readInstallations,
  sha256,
  writeInstallation,
  writeWhole,
} from './install-record';
import { SettingsShapeError } from './json-insertion';
import { opencodePlugin } from './opencode-plugin';
import { readSettingsFile, removeSettingsFile, replaceSettingsFile, type SettingsFile } from './settings-file';
import { installedIn, planInstall, planRemoval } from './settings-plan';

/** One agent's hooks in one scope. */
export interface Target {
  agent: HookAgent;
  scope: Scope;
  file: string;
  dataDir: string;
  command: string;
}

export function targetOf(agent: HookAgent, scope: Scope, dataDir: string, place: Place): Target {
  const script = join(dataDir, 'hooks', agent);
  return { agent, scope, file: settingsPath(agent, scope, place), dataDir, command: hookCommand(script) };
}

/** A change of one settings file that was thought of and not made yet. */
export interface Plan {
  target: Target;
  read: SettingsFile;
  /** The text it becomes; null removes the file; equal to `read.text` where nothing is to do. */
  after: string | null;
  madeKeys: string[][];
}

/** What installing would do. Throws exit 65 where the file is not what it must be. */
export function planToInstall(target: Target): Plan {
  const read = readSettingsFile(target.file);
  if (target.agent === 'opencode') {
    if (read.text !== null && !isOurPlugin(read.text)) throw notOurs(target.file);
    return { target, read, after: opencodePlugin(target.dataDir), madeKeys: [] };
  }
  const { agent, command } = target;
  return shaped(target.file, () => {
    const { text, madeKeys } = planInstall(read.text ?? '', agent, command);
    return { target, read, after: text, madeKeys };
  });
}

/** What removing would do. */
export function planToRemove(target: Target): Plan {
  const read = readSettingsFile(target.file);
  const known = installationOf(target);
  const untouched = { target, read, after: read.text, madeKeys: [] };
  if (read.text === null) return untouched;
  if (target.agent === 'opencode') return isOurPlugin(read.text) ? { ...untouched, after: null } : untouched;
  if (known && sha256(read.text) === known.after) {
    // Nobody wrote it since: what it was comes back to the byte.
    if (known.created) return { ...untouched, after: null };
    const before = known.backup === null ? null : readBackup(known.backup);
    if (before !== null) return { ...untouched, after: before };
  }
  const { text } = read;
  return shaped(target.file, () => {
    const after = planRemoval(text, target.command, known ? known.madeKeys : null);
    const isNothing = known?.created && after !== text && after.trim() === '{}';
    return { ...untouched, after: isNothing ? null : after };
  });
}

function shaped<T>(file: string, plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof SettingsShapeError)) throw error;
    throw new CommandFailure(EXIT.badData, `${file}: ${error.message}.`, 'Nothing was changed.');
  }
}

function installationOf(target: Target): Installation | null {
  return readInstallations(target.dataDir).find(({ file }) => file === target.file) ?? null;
}

export function isNothingToDo(plan: Plan): boolean {
  return plan.after === plan.read.text;
}

/** Makes a planned installation true: the script first, then the settings, then the note of it. Returns the backup. */
export function install(plan: Plan, now: number): { backup: string | null } {
  const { target, read, after } = plan;
  writeScript(target);
  if (after === null || isNothingToDo(plan)) return { backup: null };
  const known = installationOf(target);
  const chained = known !== null && read.text !== null && sha256(read.text) === known.after;
  const backup = read.text === null ? null : keepBackup(target.dataDir, target.agent, read.text, now);
  const { madeFolders } = replaceSettingsFile(read, after);
  writeInstallation(target.dataDir, target.file, {
    agent: target.agent,
    scope: target.scope,
    file: target.file,
    command: target.command,
    after: sha256(after),
    // A second installation over an untouched first one goes back to what was before the first.
    backup: chained ? known.backup : known === null ? backup : null,
    created: chained ? known.created : read.text === null,
    madeFolders: chained ? known.madeFolders : madeFolders,
    madeKeys: known ? [...known.madeKeys, ...plan.madeKeys] : plan.madeKeys,
    installedAt: now,
  });
  return { backup };
}

/** Makes a planned removal true. The script stays while another file still names it. */
export function remove(plan: Plan, now: number): { backup: string | null } {
  const { target, read, after } = plan;
  const known = installationOf(target);
  let backup: string | null = null;
  if (!isNothingToDo(plan) && read.text !== null) {
    backup = keepBackup(target.dataDir, target.agent, read.text, now);
    if (after === null) removeSettingsFile(read, known?.madeFolders ?? []);
    else replaceSettingsFile(read, after);
  }
  writeInstallation(target.dataDir, target.file, null);
  if (!readInstallations(target.dataDir).some(({ agent }) => agent === target.agent)) {
    rmSync(join(target.dataDir, 'hooks', target.agent), { force: true });
  }
  return { backup };
}

function writeScript({ agent, dataDir }: Target): void {
  if (agent === 'opencode') return;
  const text = hookScript({
    agent,
    dataDir,
    fallback: { node: process.execPath, cli: realpathSync(fileURLToPath(import.meta.url)) },
  });
  writeWhole(join(hooksFolder(dataDir), agent), text, 0o700);
}

/** How it stands with one agent's hooks in one scope. */
export interface Standing {
  installed: 'no' | 'partly' | 'yes';
  /** The script that the settings name is there. */
  scriptThere: boolean;
  installedAt: number | null;
  /** Why it is not known, in a sentence. */
  problem: string | null;
}

export function standingOf(target: Target): Standing {
  const installedAt = installationOf(target)?.installedAt ?? null;
  const scriptThere = target.agent === 'opencode' || existsSync(join(target.dataDir, 'hooks', target.agent));
  try {
    const { text } = readSettingsFile(target.file);
    if (text === null) return { installed: 'no', scriptThere, installedAt, problem: null };
    if (target.agent === 'opencode') {
      const installed = text === opencodePlugin(target.dataDir) ? 'yes' : isOurPlugin(text) ? 'partly' : 'no';
      return { installed, scriptThere, installedAt, problem: null };
    }
    const { agent, command } = target;
    const installed = shaped(target.file, () => installedIn(text, agent, command));
    return { installed, scriptThere, installedAt, problem: null };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return { installed: 'no', scriptThere, installedAt, problem: error.message };
  }
}

function isOurPlugin(text: string): boolean {
  return text.startsWith('// Tells Tidemark what opencode does');
}

function notOurs(file: string): CommandFailure {
  return new CommandFailure(EXIT.badData, `${file} is there already and not ours.`, 'Move it away and try again.');
}
