import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script that completes commands, options and their choices, made from the command line itself. */
export function completionScript(program: Command, shell: Shell): string {
  const commands = allCommands(program, '');
  const paths = commands.flatMap(({ path }) => (path === '' ? [] : [quoted(path)]));
  const words = commands.map(({ path, words }) => `    ${quoted(path)}) words=${quoted(words.join(' '))} ;;`);
  const choices = commands.flatMap(({ path, choices }) =>
    choices.map(([flag, values]) => `    ${quoted(`${path} ${flag}`)}) words=${quoted(values.join(' '))} ;;`),
  );
  return [
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    `_cctl() {`,
    `  local path= word words= at`,
    `  COMPREPLY=()`,
    `  for ((at = 1; at < COMP_CWORD; at++)); do`,
    `    word="\${COMP_WORDS[at]}"`,
    `    case "$path $word" in`,
    `      ${paths.join(' | ')}) path="$path $word" ;;`,
    `    esac`,
    `  done`,
    `  case "$path" in`,
    ...words,
    `  esac`,
    `  case "$path \${COMP_WORDS[COMP_CWORD - 1]}" in`,
    ...choices,
    `  esac`,
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    `}`,
    `complete -o default -F _cctl cctl`,
  ].join('\n');
}

interface Completed {
  /** ` guardrails explain`; empty for the program itself. */
  path: string;
  words: string[];
  /** The options whose values are known. */
  choices: [flag: string, values: readonly string[]][];
}

function allCommands(command: Command, path: string): Completed[] {
  const options = command.createHelp().visibleOptions(command);
  const flags = options.flatMap(({ long }) => long ?? []);
  const choices = options.flatMap(({ long, argChoices }): [string, readonly string[]][] =>
    long && argChoices ? [[long, argChoices]] : [],
  );
  const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const inner = command.commands.map((one) => one.name());
  return [
    { path, words: [...inner, ...values, ...flags], choices },
    ...command.commands.flatMap((one) => allCommands(one, `${path} ${one.name()}`)),
  ];
}

/** The words are the names of commands and options: nothing in them needs more than quotes. */
function quoted(text: string): string {
  return `"${text}"`;
}
