import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Db } from '../src/db/database.ts';
import { appliedMigrations, migrate } from '../src/db/migrate.ts';
import { migrations } from '../src/db/migrations.ts';
import { type DatabaseConfig, openDatabase } from '../src/db/open-database.ts';
import { laterMigrations } from './later-schema.ts';

export interface TestDatabase {
  db: Db;
  /** The settings with which another connection or process opens this database. */
  config: DatabaseConfig;
}

export const databases = ['sqlite', 'postgres'] as const;

/**
 * Runs the suite once for each kind of database. The suite's `open` gives a test a new, migrated database, which is deleted
 * when the test ends.
 */
export function onEachDatabase(title: string, suite: Suite): void {
  onEachDatabaseAtOnce(title, 1, suite);
}

/** Runs the suite on SQLite alone, for rules that are checked before any query. */
export function onSqlite(title: string, suite: Suite): void {
  describe(`${title} (sqlite)`, () => suite((t) => openTestDatabase(t, 'sqlite'), 'sqlite'));
}

/** Like `onEachDatabase`, with concurrent tests: for independent tests that mostly wait. */
export function onEachDatabaseAtOnce(title: string, concurrency: number, suite: Suite): void {
  for (const kind of databases) {
    describe(`${title} (${kind})`, { concurrency }, () => suite((t) => openTestDatabase(t, kind), kind));
  }
}

type Suite = (open: (t: TestContext) => Promise<TestDatabase>, kind: (typeof databases)[number]) => void;

/** A test or a suite: its end closes what was opened for it. */
export type Lifetime = Pick<TestContext, 'after'>;

/** Makes an empty database, for programs that migrate it themselves. It is deleted when the test ends. */
export function makeEmptyDatabase(t: Lifetime, kind: (typeof databases)[number]): Promise<DatabaseConfig> {
  return kind === 'sqlite' ? makeFolder(t) : makePostgresDatabase(t);
}

/** Returns the environment that makes a program use the database. */
export function environmentOf({ dataDir, databaseUrl }: DatabaseConfig) {
  return { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
}

export function openTestDatabase(t: Lifetime, kind: (typeof databases)[number]): Promise<TestDatabase> {
  return openCopy(t, template(kind));
}

/**
 * Makes a migrated database without accounts, for tests that are not about a program's first start: migrating takes half the time
 * of a first start. It is deleted when the test ends.
 */
export async function makeMigratedDatabase(t: Lifetime, kind: (typeof databases)[number]): Promise<DatabaseConfig> {
  const copy = await copyDatabase(t, template(kind));
  if (kind === 'sqlite') return copy;
  // Programs connect by TCP, as most do in production.
  return { ...copy, databaseUrl: urlOf(process.env.TEST_POSTGRES_URL!, new URL(copy.databaseUrl).pathname.slice(1)) };
}

function template(kind: (typeof databases)[number]): DatabaseConfig {
  const templates = process.env.TEST_TEMPLATES;
  if (!templates) throw new Error('Run the tests with npm test: it makes the databases that theirs are copies of.');
  const [dataDir, databaseUrl] = JSON.parse(templates);
  return { dataDir, databaseUrl: kind === 'sqlite' ? '' : databaseUrl, databasePool: 10 };
}

/** Opens a copy of another database, to which nobody may be connected. */
export async function openCopy(t: Lifetime, original: DatabaseConfig): Promise<TestDatabase> {
  const config = await copyDatabase(t, original);
  const db = await openDatabase(config);
  // The connections must be closed before the database is dropped.
  beforeClosing(t, () => db.destroy());
  return { db, config };
}

function copyDatabase(t: Lifetime, original: DatabaseConfig): Promise<DatabaseConfig> {
  return original.databaseUrl === ''
    ? makeFolder(t, join(original.dataDir, 'freehold.db'))
    : makePostgresDatabase(t, original.databaseUrl);
}

/** Makes a migrated database of each kind as templates for `openTestDatabase`: copying takes a fifth of the time of migrating. */
export async function makeTemplates(folder: string, postgresUrl: string): Promise<string> {
  const dataDir = join(folder, 'template');
  await mkdir(dataDir);
  await administer(postgresUrl, 'create database freehold_template');
  const databaseUrl = urlOf(postgresUrl, 'freehold_template');
  for (const url of ['', databaseUrl]) {
    const db = await openDatabase({ dataDir, databaseUrl: url, databasePool: 1 });
    await migrate(db);
    if (url && process.env.TEST_SCHEMA)
      await applyLaterSchema(db, process.env.TEST_SCHEMA, { dataDir, databaseUrl: url });
    await db.destroy();
  }
  return JSON.stringify([dataDir, databaseUrl]);
}

/**
 * Brings a PostgreSQL database to a later schema, with which this version must still work. `schema` is the folder of a later
 * version's checkout, or `later` for one that adds something to every table.
 */
async function applyLaterSchema(db: Db, schema: string, config: Pick<DatabaseConfig, 'dataDir' | 'databaseUrl'>) {
  const known = await appliedMigrations(db);
  if (schema === 'later') await migrate(db, [...migrations, ...(await laterMigrations(db))]);
  else {
    const env = { PATH: process.env.PATH, ...environmentOf({ ...config, databasePool: 2 }) };
    await promisify(execFile)(process.execPath, [join(schema, 'src/cli/main.js'), 'migrate'], { env });
  }
  // Hide the later migrations: a process of this version would refuse to start, while one that already serves does not check.
  await db.deleteFrom('migrations').where('name', 'not in', known).execute();
}

/** Does the work when the test ends, before its database is deleted. Node runs hooks in the order they were added. */
export function beforeClosing(t: Lifetime, work: () => Promise<unknown>): void {
  cleanUpsOf(t).unshift(work);
}

const cleanUps = new WeakMap<Lifetime, Array<() => Promise<unknown>>>();

function onEnd(t: Lifetime, work: () => Promise<unknown>): void {
  cleanUpsOf(t).push(work);
}

function cleanUpsOf(t: Lifetime): Array<() => Promise<unknown>> {
  const known = cleanUps.get(t);
  if (known) return known;
  const works: Array<() => Promise<unknown>> = [];
  cleanUps.set(t, works);
  t.after(async () => {
    for (const clean of works) await clean();
  });
  return works;
}

async function makeFolder(t: Lifetime, original?: string): Promise<DatabaseConfig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  onEnd(t, () => rm(dataDir, { recursive: true, force: true }));
  if (original) await copyFile(original, join(dataDir, 'freehold.db'));
  return { dataDir, databaseUrl: '', databasePool: 10 };
}

async function makePostgresDatabase(t: Lifetime, original?: string): Promise<DatabaseConfig> {
  // Copies use the local socket, like their template. Empty databases are for programs, which connect by TCP.
  const server = original ?? process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('Run the tests with npm test: it starts PostgreSQL.');
  const base = urlOf(server, 'postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Without fsync, copying files is the fastest strategy.
  const how = original ? `template ${new URL(original).pathname.slice(1)} strategy file_copy` : '';
  await administer(base, `create database ${name} ${how}`);
  onEnd(t, () => administer(base, `drop database if exists ${name} with (force)`));
  const config = await makeFolder(t);
  return { ...config, databaseUrl: urlOf(base, name) };
}

function urlOf(server: string, database: string): string {
  return Object.assign(new URL(server), { pathname: `/${database}` }).href;
}

const administrations = new Map<string, pg.Pool>();

/** Runs a statement on a connection that stays open: each test makes and drops a database, and connecting takes as long as either. */
async function administer(url: string, statement: string): Promise<void> {
  // No idle timeout: it could close the connection just as the next statement is sent.
  const options = { connectionString: url, max: 1, allowExitOnIdle: true, idleTimeoutMillis: 0 };
  const pool = administrations.get(url) ?? new pg.Pool(options);
  if (!administrations.has(url)) {
    administrations.set(url, pool);
    // At the end of the run the server stops before this pool does.
    pool.on('error', () => {});
  }
  await pool.query(statement);
}
