/** `tidemark completion`: prints what a shell sources. */
import type { Command } from '../command';
import { completionScript, SHELLS, type Shell } from '../completion';
import { CommandFailure, EXIT } from '../exit-codes';

/** `commands` is asked for when the script is made, since the table holds this command as well. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'print the completion of a shell',
    usage: SHELLS.join('|'),
    about: '',
    options: {},
    examples: [
      ['eval "$(tidemark completion bash)"', 'in ~/.bashrc'],
      ['eval "$(tidemark completion zsh)"', 'in ~/.zshrc'],
      ['tidemark completion fish > ~/.config/fish/completions/tidemark.fish', 'once, for fish'],
    ],
    words: { least: 1, most: 1 },
    firstWords: SHELLS,
    async run({ words: [shell], json, screen }) {
      if (!(SHELLS as readonly (string | undefined)[]).includes(shell)) {
        throw new CommandFailure(EXIT.usage, `There is completion for ${SHELLS.join(', ')}.`);
      }
      const script = completionScript(shell as Shell, commands());
      screen.out(json ? JSON.stringify({ shell, script }) : script.trimEnd());
      return EXIT.done;
    },
  };
}
