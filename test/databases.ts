import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext } from 'node:test';
import pg from 'pg';
import { type DatabaseConfig, type Db, openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';

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
export function onEachDatabase(
  title: string,
  suite: (open: (t: TestContext) => Promise<TestDatabase>, kind: (typeof databases)[number]) => void,
): void {
  for (const kind of databases) describe(`${title} (${kind})`, () => suite((t) => openTestDatabase(t, kind), kind));
}

/** A new database that is still empty, for programs that bring it up themselves; it is gone when the test ends. */
export function makeEmptyDatabase(t: TestContext, kind: (typeof databases)[number]): Promise<DatabaseConfig> {
  return kind === 'sqlite' ? makeFolder(t) : makePostgresDatabase(t);
}

/** What a program is told to use the database. */
export function environmentOf({ dataDir, databaseUrl }: DatabaseConfig) {
  return { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
}

export async function openTestDatabase(t: TestContext, kind: (typeof databases)[number]): Promise<TestDatabase> {
  const config = await makeEmptyDatabase(t, kind);
  const db = await openDatabase(config);
  // The connections must go before the database does.
  beforeClosing(t, () => db.destroy());
  await migrate(db);
  return { db, config };
}

/** Does the work when the test ends, while its database is still there: hooks run in the order they were added. */
export function beforeClosing(t: TestContext, work: () => Promise<unknown>): void {
  cleanUpsOf(t).unshift(work);
}

const cleanUps = new WeakMap<TestContext, Array<() => Promise<unknown>>>();

function onEnd(t: TestContext, work: () => Promise<unknown>): void {
  cleanUpsOf(t).push(work);
}

function cleanUpsOf(t: TestContext): Array<() => Promise<unknown>> {
  const known = cleanUps.get(t);
  if (known) return known;
  const works: Array<() => Promise<unknown>> = [];
  cleanUps.set(t, works);
  t.after(async () => {
    for (const clean of works) await clean();
  });
  return works;
}

async function makeFolder(t: TestContext): Promise<DatabaseConfig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  onEnd(t, () => rm(dataDir, { recursive: true, force: true }));
  return { dataDir, databaseUrl: '', databasePool: 10 };
}

async function makePostgresDatabase(t: TestContext): Promise<DatabaseConfig> {
  const base = process.env.TEST_POSTGRES_URL;
  if (!base) throw new Error('Run the tests with npm test: it starts PostgreSQL.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(base, `create database ${name}`);
  onEnd(t, () => administer(base, `drop database if exists ${name} with (force)`));
  const url = new URL(base);
  url.pathname = `/${name}`;
  const config = await makeFolder(t);
  return { ...config, databaseUrl: url.href };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
