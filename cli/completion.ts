/** Completion for bash, zsh and fish, made from the table of commands. */
import { COMMON_OPTIONS, type Command } from './command';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script that a shell sources. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const shown = commands.filter(({ hidden }) => !hidden);
  switch (shell) {
    case 'bash':
      return bash(shown);
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bash(shown)}`;
    case 'fish':
      return fish(shown);
  }
}

function optionNames(command: Command): string[] {
  return Object.keys({ ...command.options, ...COMMON_OPTIONS }).map((name) => `--${name}`);
}

/** After the `--` of `tidemark run` the shell completes a command of its own. */
function bash(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const words = [...(command.firstWords ?? []), ...optionNames(command)].join(' ');
    return `    ${command.name}) words='${words}' ;;`;
  });
  return `# tidemark completion; in ~/.bashrc: eval "$(tidemark completion bash)"; in ~/.zshrc: eval "$(tidemark completion zsh)"
_tidemark() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words='' word
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${commands.map(({ name }) => name).join(' ')} --help --version'
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ "$word" = -- ]; then
      COMPREPLY=($(compgen -c -- "$current"))
      return
    fi
  done
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    --workspace|-w|--data-dir) COMPREPLY=($(compgen -d -- "$current")); return ;;
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _tidemark tidemark
`;
}

function fish(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = [
    '# tidemark completion; tidemark completion fish > ~/.config/fish/completions/tidemark.fish',
    'complete -c tidemark -f',
  ];
  for (const command of commands) {
    lines.push(`complete -c tidemark -n __fish_use_subcommand -a ${command.name} -d ${quote(command.summary)}`);
    const here = `-n '__fish_seen_subcommand_from ${command.name}'`;
    for (const word of command.firstWords ?? []) lines.push(`complete -c tidemark ${here} -a ${word}`);
    for (const [name, { type, summary }] of Object.entries({ ...command.options, ...COMMON_OPTIONS })) {
      lines.push(`complete -c tidemark ${here} -l ${name}${type === 'string' ? ' -r' : ''} -d ${quote(summary)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
