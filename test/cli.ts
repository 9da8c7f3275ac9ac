import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { run } from '../src/cli/run.ts';
import type { Db } from '../src/db/database.ts';
import type { DatabaseConfig } from '../src/db/open-database.ts';
import { environmentOf } from './databases.ts';
import { NO_SETTINGS_FILE } from './start-flags.ts';

export interface CliResult {
  code: number;
  out: string;
  error: string;
}

/** Runs an operator's command against the database, inside this process. */
export function runCli(config: DatabaseConfig, ...args: string[]): Promise<CliResult> {
  return runCliWith({}, config, ...args);
}

/** Runs a command with further settings. */
export async function runCliWith(
  environment: Readonly<Record<string, string>>,
  config: DatabaseConfig,
  ...args: string[]
): Promise<CliResult> {
  return runCliIn({ ...environmentOf(config), ...environment }, ...args);
}

/** Runs a command with these environment variables and no others. */
export async function runCliIn(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<CliResult> {
  const result = { code: 0, out: '', error: '' };
  result.code = await run(args, environment, {
    out: (text) => {
      result.out += text;
    },
    error: (text) => {
      result.error += text;
    },
  });
  return result;
}

/** Runs a command with `--json`, which must succeed, and returns its output parsed. */
export async function runCliJson(config: DatabaseConfig, ...args: string[]) {
  const { code, out, error } = await runCli(config, ...args, '--json');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${error}`);
  return JSON.parse(out);
}

/** Runs a command as a process of its own. */
export function spawnCli(config: DatabaseConfig, ...args: string[]): Promise<CliResult> {
  const main = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));
  const child = spawn(process.execPath, [main, NO_SETTINGS_FILE, ...args], {
    env: { ...process.env, ...environmentOf(config) },
  });
  const result = { code: -1, out: '', error: '' };
  child.stdout.on('data', (text) => {
    result.out += text;
  });
  child.stderr.on('data', (text) => {
    result.error += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...result, code: code ?? -1 }));
  });
}

/** Returns the operator's events in the audit logs of all accounts, oldest first. */
export async function operatorAuditEvents(db: Db): Promise<string[]> {
  const events = await db.selectFrom('audit_log').select(['action', 'details', 'actor']).orderBy('id').execute();
  return events
    .filter(({ actor, action }) => actor === 'operator' && action !== 'account.created')
    .map(({ action, details }) => {
      const { name, host } = JSON.parse(details);
      return `${action} ${name ?? host ?? ''}`.trim();
    });
}
