import { type Options, options, port } from './config-options.ts';
import { ConfigError, defaultOf, type Values } from './config-values.ts';
import { AppError } from './errors.ts';
import { commandLine } from './program.js';

/** The complete configuration, which is read once at the start. */
export interface Config extends Options {
  /** The file of `--env-file`; empty if it was not given. */
  readonly envFile: string;
  /** The variables of the environment that connect a command to this service's database and address. */
  readonly commandVariables: Readonly<Record<string, string>>;
}

/** The names of the environment variables that are read. */
export const variableNames: readonly string[] = Object.values(options).map(({ name }) => name);

/**
 * Reads the configuration from environment variables. An empty variable counts as unset. `given` is the environment without
 * the values of settings files.
 * @throws AppError `invalid` with one sentence for every invalid value
 */
export function readConfig(environment: Values, envFile = '', given: Values = environment): Config {
  const values: Values = Object.fromEntries(
    Object.values(options).map(({ name }) => [name, environment[name]?.trim() || undefined]),
  );
  const mistakes: string[] = [];
  const config: Record<string, unknown> = { envFile, commandVariables: commandVariables(given) };
  for (const [key, option] of Object.entries(options)) {
    const value = values[option.name] ?? defaultOf(option, values);
    try {
      config[key] = option.parse(value);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // A default that is invalid only because an option it depends on is invalid is not reported again.
      if (values[option.name] === undefined && mistakes.length > 0) continue;
      // An address may contain a password, so the message does not repeat it.
      mistakes.push(
        `${option.name} ${error.message}${/_(?:URL|ENDPOINT|HEADERS)$/.test(option.name) ? '' : `, not "${value}"`}.`,
      );
    }
  }
  if (!values.TLS_CERT !== !values.TLS_KEY) mistakes.push('TLS_CERT and TLS_KEY must be set together.');
  const bucket = [values.MEDIA_S3_URL, values.MEDIA_S3_KEY, values.MEDIA_S3_SECRET];
  if (config.mediaS3Url !== undefined && new Set(bucket.map((value) => !value)).size > 1) {
    mistakes.push('MEDIA_S3_URL, MEDIA_S3_KEY and MEDIA_S3_SECRET must be set together.');
  }
  if (values.DATABASE_REPLICA_URL && !values.DATABASE_URL) mistakes.push('DATABASE_REPLICA_URL needs DATABASE_URL.');
  if (values.BACKUP_FOLDER && values.DATABASE_URL)
    mistakes.push(
      'BACKUP_FOLDER is only for SQLite. With DATABASE_URL, let PostgreSQL archive its log, as with pgBackRest.',
    );
  if (values.METRICS_PORT && values.METRICS_PORT === port(values)) mistakes.push('METRICS_PORT must differ from PORT.');
  if (mistakes.length > 0) throw new AppError('invalid', mistakes.join('\n'));
  return Object.freeze(config) as unknown as Config;
}

function commandVariables(given: Values): Record<string, string> {
  const database = given.DATABASE_URL || given.DATABASE_URL_FILE ? 'DATABASE_URL' : 'DATA_DIR';
  const names = ['PORT', database, 'PUBLIC_URL'].flatMap((name) => [name, `${name}_FILE`]);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

/**
 * Returns the beginning of a command line to show to the operator, with the settings that connect it to this service's
 * database and address. It has no settings that the command reads from a file itself: a variable would override the file.
 * Leaves out a password in DATABASE_URL, since the line may be shown in logs. In a container, all commands already have the
 * settings.
 */
export function commandOf({ commandVariables, envFile, inContainer }: Config): string {
  if (inContainer) return commandLine;
  const shown = Object.entries(commandVariables).map(([name, value]) => `${name}=${inShell(withoutPassword(value))} `);
  return `${shown.join('')}${commandLine}${envFile && ` --env-file ${inShell(envFile)}`}`;
}

function withoutPassword(value: string): string {
  return value.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1:PASSWORD@').replace(/\bpassword=[^&]*/g, 'password=PASSWORD');
}

/** Quotes a text for a shell, if necessary. */
export function inShell(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns true if the URL's host is the local machine. */
export function hasLocalHost(url: string): boolean {
  return /^((.*\.)?localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}

/** Returns the options as a Markdown table. A test compares docs/configuration.md with it. */
export function configTable(): string {
  const shown: Record<string, string> = {
    PUBLIC_URL: '`http://localhost:PORT`',
    SITES_DOMAIN: '`localhost:PORT`',
    MAIL_FROM: '`no-reply@` the host of `PUBLIC_URL`',
  };
  const rows = Object.values(options).map(
    ({ name, fallback, about }) =>
      `| \`${name}\` | ${shown[name] ?? (fallback === '' ? '' : `\`${fallback}\``)} | ${about} |`,
  );
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}
