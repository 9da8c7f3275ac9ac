import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import type { Db } from '../db/database.ts';
import { appliedMigrations, pendingMigrations, refuseNewer } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { completeEnvironment } from '../environment.ts';
import { AppError } from '../errors.ts';
import { accountCommands } from './account.ts';
import { backupCommand } from './backup.ts';
import { brandCommands } from './brand.ts';
import { type CliError, cliErrorJson, exitCodeOf, toCliError, usageError } from './cli-error.ts';
import {
  type Command,
  type CommandTable,
  type DatabaseCommand,
  type Environment,
  type Result,
  UsageError,
} from './command.ts';
import { completionCommand } from './completion.ts';
import { customerCommands } from './customer.ts';
import { doctorCommand } from './doctor.ts';
import { domainCommands } from './domain.ts';
import { findCommand } from './find-command.ts';
import { commandHelp, shortHelp } from './help.ts';
import { keyCommands } from './key.ts';
import { formatListing } from './listing.ts';
import { mailCommands } from './mail.ts';
import { migrateCommand } from './migrate.ts';
import { printable, printableJson, printableLines } from './output.ts';
import { planCommands } from './plan.ts';
import { recoveredCommand } from './recovered.ts';
import { restoreCommand } from './restore.ts';
import { revenueCommands } from './revenue.ts';
import { setupCommand } from './setup.ts';
import { siteCommands } from './site.ts';
import { startCommand } from './start.ts';
import { templateCommands } from './template.ts';
import { trashCommands } from './trash.ts';
import { userCommands } from './user.ts';
import { webhookCommands } from './webhook.ts';

const commands: CommandTable = {
  start: startCommand,
  setup: setupCommand,
  account: accountCommands,
  customer: customerCommands,
  plan: planCommands,
  template: templateCommands,
  brand: brandCommands,
  revenue: revenueCommands,
  site: siteCommands,
  trash: trashCommands,
  domain: domainCommands,
  user: userCommands,
  key: keyCommands,
  webhook: webhookCommands,
  mail: mailCommands,
  migrate: migrateCommand,
  backup: backupCommand,
  restore: restoreCommand,
  recovered: recoveredCommand,
  doctor: doctorCommand,
  completion: completionCommand(() => commands),
};

interface Streams {
  /** Returns false, or a promise of false, if the reader is gone. A list then ends early. */
  out: (text: string) => unknown;
  error: (text: string) => void;
}

/**
 * Runs one command. Returns its exit code: 0; 1 if it was refused or failed; 2 if it can never be right. Settings come from
 * `givenEnvironment` and, where it lacks them, from the file of `--env-file` or from `freehold.env` in the folder.
 */
export async function run(
  args: readonly string[],
  givenEnvironment: Environment,
  { out, error }: Streams,
  folder?: string,
): Promise<number> {
  const print = (text: string) => {
    if (text !== '') out(`${text}\n`);
  };
  const { words, json, envFile } = takeGlobalOptions(args);
  const complain = (cliError: CliError) => {
    error(`${json ? printableJson(cliErrorJson(cliError)) : toText(cliError)}\n`);
    return exitCodeOf(cliError);
  };
  if (envFile === '') return complain(usageError('Missing: the file for --env-file.', shortHelp()));
  const found = findCommand(commands, words);
  if (!('command' in found)) {
    if (found.mistake !== undefined) return complain(usageError(found.mistake, found.help));
    print(found.help);
    return 0;
  }
  const { name, command } = found;
  let environment = givenEnvironment;
  try {
    const { positionals, values } = parse(command, found.rest);
    if (values.help) {
      print(commandHelp(name, command));
      return 0;
    }
    takeForPositionals(command, positionals, values);
    checkComplete(command, positionals, values);
    const show = async (output: Result) => {
      if ('listing' in output) {
        for await (const text of formatListing(output.listing, json)) if ((await out(text)) === false) break;
        return 0;
      }
      if ('csv' in output) {
        if (json) throw new UsageError('Give --csv or --json, not both.');
        for await (const text of output.csv) if ((await out(printableCsv(text))) === false) break;
        return 0;
      }
      print(!json ? printableLines(output.text) : output.json ? printableJson(output.json) : '');
      if (output.note && !json) error(`${printableLines(output.note)}\n`);
      return output.exitCode ?? 0;
    };
    const report = (text: string) => {
      if (!json) error(`${printable(text)}\n`);
    };
    if (command.database === 'none') {
      return await show(await command.run({ environment, envFile, positionals, values: values as never, report }));
    }
    environment = completeEnvironment(givenEnvironment, { envFile, folder });
    return await execute(
      command,
      readConfig(environment, envFile, givenEnvironment),
      { positionals, values, report },
      show,
    );
  } catch (problem) {
    return complain(toCliError(problem, { name, command, databaseUrl: environment.DATABASE_URL }));
  }
}

/** Makes CSV printable. Its lines end with CRLF, which `printableLines` would not keep. */
function printableCsv(csv: string): string {
  return csv.split('\r\n').map(printable).join('\r\n');
}

interface GlobalOptions {
  /** The command with its arguments. */
  words: string[];
  json: boolean;
  /** The path of the settings file; empty if `--env-file` lacks its value. */
  envFile?: string | undefined;
}

/**
 * Extracts `--json` and `--env-file`, which may stand anywhere. `--json` counts even if the rest cannot be parsed, since a
 * program reads the error too.
 */
function takeGlobalOptions(args: readonly string[]): GlobalOptions {
  const taken: GlobalOptions = { words: [], json: false };
  const end = args.indexOf('--') < 0 ? args.length : args.indexOf('--');
  for (let index = 0; index < end; index++) {
    const arg = args[index]!;
    if (arg === '--json') taken.json = true;
    else if (arg === '--env-file') taken.envFile = args[++index] ?? '';
    else if (arg.startsWith('--env-file=')) taken.envFile = arg.slice('--env-file='.length);
    else taken.words.push(arg);
  }
  taken.words.push(...args.slice(end));
  return taken;
}

function toText({ message, help }: CliError): string {
  return printableLines(help === undefined ? message : `${message}\n\n${help}`);
}

type Values = Record<string, string | boolean | undefined>;

/**
 * Returns true if the argument was valid UTF-8. Node replaces invalid bytes by U+FFFD, which would end up in stored names.
 */
function isText(arg: string): boolean {
  return arg.isWellFormed() && !arg.includes('\ufffd');
}

function parse(command: Command, args: readonly string[]): { positionals: string[]; values: Values } {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
    // `--json` was removed before parsing. One that is left has a value, which makes the parser say that it takes none.
    json: { type: 'boolean' },
  };
  for (const [name, { type }] of Object.entries(command.options ?? {})) options[name] = { type };
  if (!args.every(isText)) throw new UsageError('What was entered is not valid UTF-8.');
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { positionals, values: values as Values };
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      // The rest of Node's message explains how to pass such a value as a positional, which was not the intention.
      throw new UsageError(error.message.split('. To specify')[0]!.replace(/\.?$/, '.'));
    }
    throw error;
  }
}

function takeForPositionals(
  { positionals: names = [], options }: Command,
  positionals: string[],
  values: Values,
): void {
  for (const [name, { standsFor }] of Object.entries(options ?? {})) {
    const value = values[name];
    if (standsFor === undefined || typeof value !== 'string') continue;
    if (positionals[names.indexOf(standsFor)] !== undefined)
      throw new UsageError(`Give ${standsFor} or --${name}, not both.`);
    positionals[names.indexOf(standsFor)] = value;
  }
}

function checkComplete(command: Command, positionals: readonly string[], values: Values): void {
  const names = command.positionals ?? [];
  const missing = [
    // An empty positional usually comes from an unset shell variable.
    ...names.filter((name, index) => !name.startsWith('[') && !positionals[index]),
    ...Object.entries(command.options ?? {})
      .filter(([name, { required }]) => required && values[name] === undefined)
      .map(([name]) => `--${name}`),
  ];
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.join(', ')}.`);
  if (positionals.length > names.length) throw new UsageError(`Unexpected argument: "${positionals[names.length]}".`);
}

async function execute(
  command: DatabaseCommand,
  config: Config,
  { values, ...given }: { positionals: string[]; values: Values; report: (text: string) => void },
  print: (output: Result) => Promise<number>,
): Promise<number> {
  if (command.database !== 'any' && config.databaseUrl === '' && !existsSync(join(config.dataDir, 'freehold.db'))) {
    // Opening would create an empty database in an unexpected place.
    throw new AppError(
      'not_found',
      `There is no database in the folder "${config.dataDir}". Set DATA_DIR or DATABASE_URL, or run setup first.`,
    );
  }
  const db = await openDatabase({
    ...config,
    databaseTimeoutMs: command.mayTakeLong ? 0 : config.databaseTimeoutMs,
    hasLongStatements: true,
  });
  try {
    await checkSchema(db, command.database);
    // `checkComplete` has verified that required values are present, as the types of `command()` promise.
    return await print(await command.run({ config, db, ...given, values: values as never }));
  } finally {
    await db.destroy();
  }
}

async function checkSchema(db: Db, wanted: DatabaseCommand['database']): Promise<void> {
  if (wanted === 'any') return;
  const applied = await appliedMigrations(db);
  if (applied.length === 0) throw new AppError('conflict', 'The database is empty. Run setup or migrate first.');
  if (wanted === 'existing') return;
  refuseNewer('database', applied, 'Use that version.');
  const pending = await pendingMigrations(db);
  if (pending.length > 0) {
    throw new AppError(
      'conflict',
      `The database is older than this version (it lacks ${pending.join(', ')}). Run migrate.`,
    );
  }
}
