import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Db } from '../src/db/database.ts';
import { appliedMigrations, migrate, migrations } from '../src/db/migrate.ts';
import { type DatabaseConfig, openDatabase } from '../src/db/open-database.ts';
import { laterMigrations } from './later-schema.ts';

export interface TestDatabase {
  db: Db;
  /** Opens the same database once more, as another process would. */
  config: DatabaseConfig;
}

export const databases = ['sqlite', 'postgres'] as const;

/**
 * Runs the suite once for each database. `open` gives a test a new, migrated database of its own, which is gone when
 * the test ends.
 */
export function onEachDatabase(title: string, suite: Suite): void {
  onEachDatabaseAtOnce(title, 1, suite);
}

/** Runs the suite on SQLite alone: for rules that are checked before any database is asked. */
export function onSqlite(title: string, suite: Suite): void {
  describe(`${title} (sqlite)`, () => suite((t) => openTestDatabase(t, 'sqlite'), 'sqlite'));
}

/** Like `onEachDatabase`, with so many tests at a time: for those that wait most of the time, and have nothing in common. */
export function onEachDatabaseAtOnce(title: string, concurrency: number, suite: Suite): void {
  for (const kind of databases) {
    describe(`${title} (${kind})`, { concurrency }, () => suite((t) => openTestDatabase(t, kind), kind));
  }
}

type Suite = (open: (t: TestContext) => Promise<TestDatabase>, kind: (typeof databases)[number]) => void;

/** A test, or a group of them: what has a moment at which things that were opened for it are closed. */
export type Lifetime = Pick<TestContext, 'after'>;

/** A new database that is still empty, for programs that bring it up themselves; it is gone when the test ends. */
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
 * A new database that is migrated and has no account yet, for programs whose first start is not what the test is about: migrating
 * takes as long as all else that they do then. It is gone when the test ends.
 */
export async function makeMigratedDatabase(t: Lifetime, kind: (typeof databases)[number]): Promise<DatabaseConfig> {
  const copy = await copyDatabase(t, template(kind));
  if (kind === 'sqlite') return copy;
  // By its port, as programs mostly are.
  return { ...copy, databaseUrl: urlOf(process.env.TEST_POSTGRES_URL!, new URL(copy.databaseUrl).pathname.slice(1)) };
}

function template(kind: (typeof databases)[number]): DatabaseConfig {
  const templates = process.env.TEST_TEMPLATES;
  if (!templates) throw new Error('Run the tests with npm test: it makes the databases that theirs are copies of.');
  const [dataDir, databaseUrl] = JSON.parse(templates);
  return { dataDir, databaseUrl: kind === 'sqlite' ? '' : databaseUrl, databasePool: 10 };
}

/** A new database with all that is in another one, to which nobody is connected any more. */
export async function openCopy(t: Lifetime, original: DatabaseConfig): Promise<TestDatabase> {
  const config = await copyDatabase(t, original);
  const db = await openDatabase(config);
  // The connections must go before the database does.
  beforeClosing(t, () => db.destroy());
  return { db, config };
}

function copyDatabase(t: Lifetime, original: DatabaseConfig): Promise<DatabaseConfig> {
  return original.databaseUrl === ''
    ? makeFolder(t, join(original.dataDir, 'freehold.db'))
    : makePostgresDatabase(t, original.databaseUrl);
}

/** A migrated database of either kind, for `openTestDatabase`: copying takes a fifth of the time that migrating takes. */
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
 * Brings the database on PostgreSQL to a later schema than this version's, on which it has to work: that of the checkout of a later version
 * in the folder, or with `later` one in which something was added to every table.
 */
async function applyLaterSchema(db: Db, schema: string, config: Pick<DatabaseConfig, 'dataDir' | 'databaseUrl'>) {
  const known = await appliedMigrations(db);
  if (schema === 'later') await migrate(db, [...migrations, ...(await laterMigrations(db))]);
  else {
    const env = { PATH: process.env.PATH, ...environmentOf({ ...config, databasePool: 2 }) };
    await promisify(execFile)(process.execPath, [join(schema, 'src/cli/main.js'), 'migrate'], { env });
  }
  // A process of this version that starts would refuse it; one that serves already does not ask.
  await db.deleteFrom('migrations').where('name', 'not in', known).execute();
}

/** Does the work when the test ends, while its database is still there: hooks run in the order they were added. */
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
  // A copy is connected to by the local socket, as its original is. A program that starts on an empty database has a port.
  const server = original ?? process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('Run the tests with npm test: it starts PostgreSQL.');
  const base = urlOf(server, 'postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying files is quickest where nothing is synced.
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

/** By a connection that stays: each test makes and drops a database, and a connection takes as long as either. */
async function administer(url: string, statement: string): Promise<void> {
  // Without an end for idleness: one that came just when the next statement was sent would end it, too.
  const options = { connectionString: url, max: 1, allowExitOnIdle: true, idleTimeoutMillis: 0 };
  const pool = administrations.get(url) ?? new pg.Pool(options);
  if (!administrations.has(url)) {
    administrations.set(url, pool);
    // The server goes first at the end of the run.
    pool.on('error', () => {});
  }
  await pool.query(statement);
}
