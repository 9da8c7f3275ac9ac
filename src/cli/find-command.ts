import { readFileSync } from 'node:fs';
import { closestCommand } from './closest-command.ts';
import type { Command, CommandTable } from './command.ts';
import { groupHelp, shortHelp, topHelp } from './help.ts';

/**
 * A command with the arguments after its name, or the help to print. The help goes to the error stream if there is a
 * mistake.
 */
type Found = { name: string; command: Command; rest: readonly string[] } | { help: string; mistake?: string };

/** Finds the command that the arguments begin with. */
export function findCommand(commands: CommandTable, args: readonly string[]): Found {
  const [first, ...rest] = args;
  if (first === undefined) return { help: topHelp(commands), mistake: 'Which command?' };
  if (first === '--help' || first === '-h') return { help: topHelp(commands) };
  if (first === '--version') return { help: version() };
  if (first === 'help') return findCommand(commands, rest.length === 0 ? ['--help'] : [...rest, '--help']);
  const entry = Object.hasOwn(commands, first) ? commands[first]! : undefined;
  // The complete help would push the error out of sight.
  if (!entry) return { help: shortHelp(meantBy(commands, args)), mistake: `There is no command "${first}".` };
  if (!('commands' in entry)) return { name: first, command: entry, rest };

  const [second, ...others] = rest;
  const help = groupHelp(first, entry);
  if (second === undefined) return { help, mistake: `Which command of "${first}"?` };
  if (second === '--help' || second === '-h') return { help };
  const command = Object.hasOwn(entry.commands, second) ? entry.commands[second]! : undefined;
  return command
    ? { name: `${first} ${second}`, command, rest: others }
    : { help, mistake: `There is no command "${first} ${second}".` };
}

/** Returns the command or group that was probably meant; undefined if none is close. */
function meantBy(commands: CommandTable, [first = '', second]: readonly string[]): string | undefined {
  const inGroups = Object.entries(commands).flatMap(([name, entry]) =>
    'commands' in entry ? Object.keys(entry.commands).map((key) => `${name} ${key}`) : [],
  );
  const both = second === undefined ? undefined : closestCommand(`${first} ${second}`, inGroups);
  return both ?? closestCommand(first, [...Object.keys(commands), ...inGroups]);
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
