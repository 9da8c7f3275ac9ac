import { commandLine } from '../program.js';
import { type Command, type CommandTable, type Group, globalOptions } from './command.ts';
import { columns } from './output.ts';

export function commandHelp(name: string, { about, details, positionals, options, example }: Command): string {
  const all = Object.entries({ ...options, ...globalOptions });
  const required = all.filter(([, { required }]) => required).map(([key, { value }]) => `--${key} ${value}`);
  const usage = [`${commandLine} ${name}`, ...(positionals ?? []), ...required, '[OPTIONS]'].join(' ');
  const rows = all.map(([key, { value, about, required }]) => [
    `  --${key}${value ? ` ${value}` : ''}`,
    `${about}${required ? ' Required.' : ''}`,
  ]);
  return [
    about,
    `Usage: ${usage}`,
    `Options:\n${columns(rows)}`,
    ...(details ? [details] : []),
    `Example:\n  ${commandLine} ${name} ${example}`.trimEnd(),
  ].join('\n\n');
}

export function groupHelp(name: string, { about, commands }: Group): string {
  const rows = Object.entries(commands).map(([key, command]) => [
    `  ${name} ${[key, ...(command.positionals ?? [])].join(' ')}`,
    command.about,
  ]);
  const [first] = Object.keys(commands);
  return [
    about,
    `Usage: ${commandLine} ${name} COMMAND [OPTIONS]`,
    `Commands:\n${columns(rows)}`,
    `Example:\n  ${commandLine} ${name} ${first} --help`,
  ].join('\n\n');
}

/** Returns the help for a mistyped command: the command that was probably meant, and how to list all. */
export function shortHelp(meant?: string): string {
  return [
    ...(meant === undefined ? [] : [`Did you mean "${meant}"?\n`]),
    `Usage: ${commandLine} COMMAND [OPTIONS]`,
    `All commands: ${commandLine} help`,
  ].join('\n');
}

export function topHelp(entries: CommandTable): string {
  const rows = Object.entries(entries).flatMap(([name, entry]) =>
    'commands' in entry
      ? Object.entries(entry.commands).map(([key, { about }]) => [`  ${name} ${key}`, about])
      : [[`  ${name}`, entry.about]],
  );
  return [
    'Manages a Freehold installation, whether its service is running or not.',
    `Usage: ${commandLine} COMMAND [OPTIONS]`,
    `Commands:\n${columns(rows)}`,
    'Settings are those of the service: environment variables, then the file of --env-file FILE, or else ./freehold.env.\n' +
      'DATABASE_URL, or DATA_DIR for SQLite, says where the data is. Every command takes --json, to print JSON, and --help;\n' +
      '--version prints the version. The exit code is 0 for success, 1 if the command was refused or failed, and 2 if it is\n' +
      'wrong: unknown, incomplete, or with an invalid value.',
    `Example:\n  ${commandLine} setup --help`,
  ].join('\n\n');
}
