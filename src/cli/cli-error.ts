import { isUnavailable } from '../db/constraint.ts';
import { databaseReasonOf } from '../db/damage.ts';
import { inEnglish } from '../english.ts';
import { AppError, ValidationError } from '../errors.ts';
import { messageInEnglish } from '../refusal-words.ts';
import { type Command, OptionError, UsageError } from './command.ts';
import { commandHelp } from './help.ts';

/** The reason why a command failed. As with `Output`, people and programs get the same facts. */
export interface CliError {
  /** `usage` and `invalid` are mistakes in the command; `internal` is a bug in Freehold. */
  code: string;
  message: string;
  /** The invalid values, each with the name of its option or positional. */
  fields?: { name: string; message: string }[];
  /** Help for people, printed below the message. */
  help?: string;
}

/** Returns 2 if the same command can never succeed, whatever is in the database; otherwise 1. */
export function exitCodeOf({ code }: CliError): number {
  return code === 'usage' || code === 'invalid' ? 2 : 1;
}

/** Returns what `--json` prints on the error stream. */
export function cliErrorJson({ code, message, fields }: CliError): object {
  return { error: { code, message, ...(fields && { fields }) } };
}

/** Converts the error that a command ended with. `databaseUrl` contains a password that no message may repeat. */
export function toCliError(
  problem: unknown,
  { name, command, databaseUrl }: { name: string; command: Command; databaseUrl: string | undefined },
): CliError {
  if (problem instanceof UsageError) return usageError(problem.message, commandHelp(name, command));
  if (problem instanceof ValidationError) {
    const rules = problem.fields.map((error): [string, string] => [error.field, inEnglish(error)]);
    return brokenRules(problem.isConflict ? 'conflict' : 'invalid', rules, command);
  }
  if (problem instanceof OptionError) return brokenRules('invalid', [[problem.option, problem.message]], command);
  // Covers settings and files that are not backups: the command itself is right.
  if (problem instanceof AppError) {
    return { code: problem.code === 'invalid' ? 'unusable' : problem.code, message: messageInEnglish(problem) };
  }
  const reason = withoutPassword(databaseReasonOf(problem), databaseUrl);
  if (isUnavailable(problem)) return { code: 'unavailable', message: `The database is not available: ${reason}` };
  return { code: 'internal', message: `Unexpected error: ${reason}` };
}

/** Returns the error for a command that cannot be parsed. */
export function usageError(message: string, help: string): CliError {
  return { code: 'usage', message, help };
}

/** Returns an error with one line for each broken rule, named after the option of its value. */
function brokenRules(
  code: string,
  rules: readonly [field: string, text: string][],
  { options = {} }: Command,
): CliError {
  const broken = rules.map(([field, message]) => {
    const name = field
      .replaceAll(/[a-z][A-Z]/g, ([end, start]) => `${end}-${start!.toLowerCase()}`)
      .replaceAll('_', '-');
    const option = [name, name.replace(/^account-/, '')].find((candidate) => Object.hasOwn(options, candidate));
    const words = field === 'url' ? 'URL' : name.replaceAll('-', ' ');
    const subject = option ? `--${option}` : words.charAt(0).toUpperCase() + words.slice(1);
    return { name: option ?? field, message, sentence: `${subject} ${message}.` };
  });
  return {
    code,
    message: broken.map(({ sentence }) => sentence).join('\n'),
    fields: broken.map(({ name, message }) => ({ name, message })),
  };
}

/** Removes the database's password from a message. Freehold's own errors never contain it, but those of libraries may. */
function withoutPassword(message: string, url: string | undefined): string {
  const { password = '' } = URL.parse(url?.replace('@/', '@localhost/') ?? '') ?? {};
  if (password === '') return message;
  return message.replaceAll(password, '***').replaceAll(safeDecode(password), '***');
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
