import type { AccountRow } from '../accounts/account.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { findAccount } from './find-account.ts';

interface ListedRow {
  cells: readonly string[];
  json: object;
}

/** A list of any length, printed while it is read. */
export interface Listing {
  /** The name of the array in the output of `--json`. */
  name: string;
  head: readonly string[];
  /** The text that is printed if there are no rows. */
  empty: string;
  /** The rows in batches, each of which is printed at once. */
  parts: AsyncIterable<ListedRow[]>;
}

/** The result of a command: the same facts for people and for programs. */
export interface Output {
  /** Text for people, without a final line feed; may be empty. */
  text: string;
  /** The output of `--json`; undefined if standard output has received other data. */
  json?: object | undefined;
  /** Text for the error stream, so that another program can use standard output. */
  note?: string;
  /** 0 by default. */
  exitCode?: number;
}

/** The result of a command: an output, or a list of any length as columns, JSON or CSV. */
export type Result = Output | { listing: Listing } | { csv: AsyncIterable<string> };

export interface Option {
  type: 'string' | 'boolean';
  about: string;
  /** The placeholder of the value in the help: `NAME`. */
  value?: string;
  required?: true;
  /** The positional that may be given by this option instead. */
  standsFor?: string;
}

type Options = Readonly<Record<string, Option>>;
type Values<O extends Options> = {
  [K in keyof O]: O[K] extends { type: 'boolean' }
    ? boolean
    : O[K] extends { required: true }
      ? string
      : string | undefined;
};

interface Context<O extends Options = Options> {
  config: Config;
  db: Db;
  /** One value for each of the command's required `positionals`. */
  positionals: string[];
  values: Values<O>;
  /** Prints a line on the error stream while the command runs, unless `--json` is given. */
  report: (text: string) => void;
}

interface Described<O extends Options> {
  /** One sentence. */
  about: string;
  /** More details, printed below the options in the help. */
  details?: string;
  /** The names of the positionals: `SUBDOMAIN`. One in brackets is optional. */
  positionals?: readonly string[];
  options?: O;
  /** The arguments of the example, after `freehold COMMAND`. */
  example: string;
}

export interface DatabaseCommand<O extends Options = Options> extends Described<O> {
  /**
   * The database that the command needs, if it need not have this version's schema: `existing` allows any schema, `any`
   * also none.
   */
  database?: 'existing' | 'any';
  /** True if queries may exceed `DATABASE_TIMEOUT`, because the command works on the whole database. */
  mayTakeLong?: true;
  run(context: Context<O>): Promise<Result>;
}

/** A command that needs neither a database nor valid settings. */
interface CommandWithoutDatabase<O extends Options = Options> extends Described<O> {
  database: 'none';
  run(context: Pick<Context<O>, 'positionals' | 'values' | 'report'> & CommandSettings): Promise<Output>;
}

interface CommandSettings {
  /** The environment as given, without settings from files. */
  environment: Environment;
  /** The file of `--env-file`. */
  envFile: string | undefined;
}

export type Command = DatabaseCommand | CommandWithoutDatabase;

export type Environment = Readonly<Record<string, string | undefined>>;

/** A group of commands (`account list`). Other commands stand alone (`doctor`). */
export interface Group {
  about: string;
  commands: Readonly<Record<string, Command>>;
}

export type CommandTable = Readonly<Record<string, Command | Group>>;

/** Infers the types of the options' values. */
export function command<const O extends Options>(definition: DatabaseCommand<O>): Command {
  return definition as unknown as Command;
}

/**
 * Like `command`, for a command on the account of `--account`. The account is found before the command begins a
 * transaction.
 */
export function commandOfAccount<const O extends Options>({
  run,
  options,
  ...definition
}: Omit<DatabaseCommand<O>, 'run'> & { run(context: Context<O> & { account: AccountRow }): Promise<Result> }): Command {
  return command<Options>({
    ...definition,
    options: { account: accountOption, ...options },
    run: async (context) =>
      run({ ...(context as Context<O>), account: await findAccount(context.db, String(context.values.account)) }),
  });
}

/** Like `command`, for a command that works without a database. */
export function commandWithoutDatabase<const O extends Options>(
  definition: Omit<CommandWithoutDatabase<O>, 'database'>,
): Command {
  return { ...definition, database: 'none' } as unknown as Command;
}

/** A command that cannot be understood or is incomplete. A wrong value is an `OptionError` or `ValidationError` instead. */
export class UsageError extends Error {}

/** The options that every command takes. */
export const globalOptions: Options = {
  json: { type: 'boolean', about: 'Print JSON, for programs.' },
  'env-file': { type: 'string', value: 'FILE', about: 'Read settings from this file instead of ./freehold.env.' },
  help: { type: 'boolean', about: 'Print this help.' },
};

/** A wrong value that only the command line can detect, not a feature. The message is the end of a sentence. */
export class OptionError extends Error {
  readonly option: string;

  constructor(option: string, message: string) {
    super(message);
    this.option = option;
  }
}

export const accountOption = {
  type: 'string',
  value: 'ACCOUNT',
  required: true,
  about: 'The account: its subdomain or id (account_12).',
} as const;
export const onlyAccountOption = {
  type: 'string',
  value: 'ACCOUNT',
  about: 'Only this account: its subdomain or id (account_12). Default: all accounts.',
} as const;
