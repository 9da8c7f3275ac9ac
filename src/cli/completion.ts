import {
  type Command,
  type CommandTable,
  commandWithoutDatabase,
  globalOptions,
  type Option,
  UsageError,
} from './command.ts';

const writers = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Makes the command that prints a completion script for the commands of the table. */
export function completionCommand(table: () => CommandTable): Command {
  return commandWithoutDatabase({
    about: 'Prints a script that completes commands and options in bash, zsh or fish.',
    details:
      'For bash, in ~/.bashrc:          eval "$(freehold completion bash)"\n' +
      'For zsh, in ~/.zshrc:            eval "$(freehold completion zsh)", after compinit\n' +
      'For fish, in config.fish:        freehold completion fish | source',
    positionals: ['SHELL'],
    example: 'bash',
    async run({ positionals: [shell = ''] }) {
      if (!Object.hasOwn(writers, shell)) throw new UsageError(`SHELL is bash, zsh or fish, not "${shell}".`);
      const script = writers[shell as keyof typeof writers](entriesOf(table())).trimEnd();
      return { text: script, json: { shell, script } };
    },
  });
}

/** A word that completion may offer. */
interface Word {
  word: string;
  about: string;
  /** True if the word takes a value. */
  hasValue?: boolean;
}

/** The words that may follow `freehold`, a group or a command. */
interface Entry {
  /** The preceding words: none, a group's name, or a command's. */
  path: readonly string[];
  /** Commands after `freehold` and a group, options after a command. */
  words: readonly Word[];
  isCommand: boolean;
}

function entriesOf(table: CommandTable): Entry[] {
  const below = Object.entries(table).flatMap(([name, entry]) => {
    if (!('commands' in entry)) return [ofCommand([name], entry)];
    const commands = Object.entries(entry.commands).map(([second, command]) => ofCommand([name, second], command));
    return [ofGroup([name], entry.commands), ...commands];
  });
  return [ofGroup([], table), ...below];
}

function ofGroup(path: readonly string[], table: CommandTable): Entry {
  const words = Object.entries(table).map(([word, { about }]) => ({ word, about }));
  return { path, words, isCommand: false };
}

function ofCommand(path: readonly string[], command: Command): Entry {
  const options: [string, Option][] = Object.entries({ ...command.options, ...globalOptions });
  const words = options.map(([name, { about, type }]) => ({ word: `--${name}`, about, hasValue: type === 'string' }));
  return { path, words, isCommand: true };
}

/*
 * Bash and zsh identify the command by the first two words that are not options. If no words are offered, they complete the
 * names of files.
 */

function bashScript(entries: readonly Entry[]): string {
  const cases = entries.map((entry) => `    ${pattern(entry)}) offered='${listed(entry.words)}' ;;`);
  return `_freehold() {
  local offered='' first='' second='' skip='' part
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -n "$skip" ]; then skip=''
    elif [ "$part" = --env-file ]; then skip=1
    elif [[ $part == -* ]]; then :
    elif [ -z "$first" ]; then first=$part
    elif [ -z "$second" ]; then second=$part
    fi
  done
  case "$first $second" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _freehold freehold
`;
}

function zshScript(entries: readonly Entry[]): string {
  const cases = entries.map((entry) => {
    const lines = entry.words.map(({ word, about }) => `      ${quoted(`${word}:${about}`)}`);
    return `    ${pattern(entry)}) offered=(\n${lines.join('\n')}\n    ) ;;`;
  });
  return `#compdef freehold
_freehold() {
  local first='' second='' skip='' part
  local -a offered
  for part in "\${words[@]:1:$((CURRENT - 2))}"; do
    if [[ -n $skip ]]; then skip=''
    elif [[ $part == --env-file ]]; then skip=1
    elif [[ $part == -* ]]; then :
    elif [[ -z $first ]]; then first=$part
    elif [[ -z $second ]]; then second=$part
    fi
  done
  case "$first $second" in
${cases.join('\n')}
  esac
  _describe freehold offered || _files
}
compdef _freehold freehold
`;
}

/** Returns a pattern for the first two words. If the command is not in a group, the second word is an argument. */
function pattern({ path: [first = '', second = ''], isCommand }: Entry): string {
  return `'${first} ${second}'${isCommand && second === '' ? '*' : ''}`;
}

function listed(words: readonly Word[]): string {
  return words.map(({ word }) => word).join(' ');
}

function fishScript(entries: readonly Entry[]): string {
  const lines = entries.flatMap((entry) => entry.words.map((word) => fishLine(entry, word)));
  return `complete -c freehold -e\n${lines.join('\n')}\n`;
}

function fishLine({ path, words, isCommand }: Entry, { word, about, hasValue }: Word): string {
  const after = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  // Once a command is chosen, the others are not offered.
  if (!isCommand) after.push(`not __fish_seen_subcommand_from ${listed(words)}`);
  const offered = isCommand ? `-l ${word.slice(2)}${hasValue ? ' -r' : ''}` : `-f -a ${word}`;
  return `complete -c freehold -n ${quoted(after.join('; and '))} ${offered} -d ${quoted(about)}`;
}

/**
 * Quotes the text for all three shells. Only fish can escape a single quote within single quotes, so it becomes an
 * apostrophe.
 */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}
