import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../src/db/database.ts';
import { environmentOf } from '../test/databases.ts';
import { startPostgres } from '../test/global-setup.ts';
import { addAccount, type BenchAccount, openForFilling } from './data.ts';
import { scratchFolder, startService } from './processes.ts';
import { round, writeSection } from './report.ts';
import { newPage, post } from './requests.ts';

/*
 * Measures backups and restores of a large database with the real commands, and a backup while pages are created. Both databases
 * have the same pages of 1 KB.
 */

const DEFAULT_PAGES = 500_000;
/** The limits for two million pages; smaller databases get a proportional share. */
const SECONDS_AT_2_MILLION = { backup: 150, restore: 150, copy: 15 };
const MAX_LOG_BYTES = 2 ** 30;
const BATCH_SIZE = 1000;
const ROOTS = 1000;
const PAGE_CHARACTERS = 1000;

interface Database {
  dataDir: string;
  databaseUrl: string;
}

const rows: string[] = [];

export async function measureBackups(wanted: string): Promise<void> {
  const count = wanted === '' ? DEFAULT_PAGES : Number(wanted);
  const atMost = (work: keyof typeof SECONDS_AT_2_MILLION) => (SECONDS_AT_2_MILLION[work] * count) / 2_000_000;
  const folder = scratchFolder();
  const sqlite = { dataDir: join(folder, 'sqlite'), databaseUrl: '' };
  const account = await fill(sqlite, count);
  const file = join(folder, 'backup.zst');
  const { postgres, folder: postgresFolder, socketUrl } = await startPostgres([]);
  try {
    noteCommand('backup', 'SQLite', await freehold(sqlite, 'backup', file), atMost('backup'));
    note('… its file', 'SQLite', `${round(statSync(file).size / 1e6)} MB`);
    const other = { dataDir: join(folder, 'restored'), databaseUrl: '' };
    noteCommand('restore', 'SQLite', await freehold(other, 'restore', file), atMost('restore'));
    rmSync(other.dataDir, { recursive: true });
    const onPostgres = { dataDir: join(folder, 'postgres'), databaseUrl: socketUrl };
    noteCommand('restore', 'PostgreSQL', await freehold(onPostgres, 'restore', file), atMost('restore'));
    noteCommand('backup', 'PostgreSQL', await freehold(onPostgres, 'backup', file), atMost('backup'));
    await measureLive(sqlite, account, { file, maxCopySeconds: atMost('copy') });
  } finally {
    await postgres.stop();
    rmSync(postgresFolder, { recursive: true, force: true });
  }
  if (count === DEFAULT_PAGES) writeSection([HEADING, ...rows].join('\n'));
}

const HEADING = `## Backups

Made by \`npm run bench -- backups\`: the commands with ${round(DEFAULT_PAGES)} pages of 1 KB each. "At most" is a quarter of what two million pages may
take (\`npm run bench -- backups 2000000\`). In brackets is the time of a processor that the command itself took: on a shared machine, the other
time is longer.

| work | database | measured | at most | met |
|---|---|--:|--:|---|`;

function note(work: string, database: string, measured: string, target = '', met?: boolean): void {
  rows.push(`| ${work} | ${database} | ${measured} | ${target} | ${met === undefined ? '' : met ? 'yes' : '**no**'} |`);
  console.log(rows.at(-1));
}

function noteCommand(work: string, database: string, { seconds, busy }: Taken, max: number): void {
  note(work, database, `${round(seconds, 1)} s (${round(busy, 1)} s)`, `${round(max, 1)} s`, seconds <= max);
}

interface Taken {
  seconds: number;
  /** Processor seconds of the command itself. */
  busy: number;
}

async function freehold(database: Database, ...args: string[]): Promise<Taken> {
  // The second line of `times` is about the shell's child processes: "0m1.230s 0m0.450s".
  const program = ['-c', '"$@" >/dev/null && times', 'sh', process.execPath, 'src/cli/main.js', ...args];
  const started = performance.now();
  const child = spawn('sh', program, {
    env: { PATH: process.env.PATH, ...environmentOf({ ...database, databasePool: 2 }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  const seconds = (performance.now() - started) / 1000;
  const times = [
    ...out
      .trim()
      .split('\n')
      .at(-1)!
      .matchAll(/(\d+)m([\d.]+)s/g),
  ];
  return { seconds, busy: times.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0) };
}

/** Makes a backup while pages are created as fast as the service accepts them. */
async function measureLive(
  database: Database,
  account: BenchAccount,
  { file, maxCopySeconds }: { file: string; maxCopySeconds: number },
): Promise<void> {
  const service = await startService({ DATA_DIR: database.dataDir });
  const log = join(database.dataDir, 'freehold.db-wal');
  const copy = join(database.dataDir, 'backup-snapshot');
  let isOver = false;
  let [created, seconds, largest, copied] = [0, 0, 0, 0];
  const creating = (async () => {
    while (!isOver) {
      const started = performance.now();
      created += (await post(service, [newPage(account)])).requests;
      seconds += (performance.now() - started) / 1000;
    }
  })();
  const watching = (async () => {
    let began = 0;
    while (!isOver) {
      largest = Math.max(largest, statSync(log).size);
      if (began === 0 && existsSync(copy)) began = performance.now();
      // SQLite creates the copy's log as soon as the copy is opened, which is after the copying.
      if (copied === 0 && existsSync(join(copy, 'freehold.db-wal'))) copied = (performance.now() - began) / 1000;
      await sleep(20);
    }
  })();
  const took = await freehold(database, 'backup', file);
  isOver = true;
  await Promise.all([creating, watching]);
  await service.stop();
  note(
    'backup while pages are created',
    'SQLite',
    `${round(took.seconds, 1)} s, ${round(created / seconds)} pages a second`,
  );
  const isQuick = copied <= maxCopySeconds;
  note('… until the database is copied', 'SQLite', `${round(copied, 1)} s`, `${round(maxCopySeconds, 1)} s`, isQuick);
  note('… the log at its longest', 'SQLite', `${round(largest / 1e6)} MB`, '1,074 MB', largest <= MAX_LOG_BYTES);
}

/** Adds pages in two levels, whose texts are different parts of one long text. */
async function fill(database: Database, count: number): Promise<BenchAccount> {
  const db = await openForFilling({ ...database, databasePool: 1 });
  try {
    const account = await addAccount(db, 'large');
    const words = randomWords(16_000_000);
    for (let from = 0; from < count; from += BATCH_SIZE) {
      await addPages(db, account, { from, to: Math.min(from + BATCH_SIZE, count), words });
    }
    return account;
  } finally {
    await db.destroy();
  }
}

async function addPages(
  db: Db,
  { id, userId }: BenchAccount,
  { from, to, words }: { from: number; to: number; words: string },
): Promise<void> {
  const pages = Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    const start = (number * 7919) % (words.length - PAGE_CHARACTERS);
    return {
      name: `Page ${number}`,
      urlname: `page-${number}`,
      position: Math.floor(number / ROOTS) + 1 + (number < ROOTS ? number : 0),
      root: number < ROOTS ? null : number % ROOTS,
      body: `<p>${words.slice(start, start + PAGE_CHARACTERS)}</p>`,
    };
  });
  await db.transaction().execute((trx) =>
    sql`
      insert into pages (account_id, parent_id, name, urlname, position, is_hidden, body_format, custom_date, created_at,
        created_by, updated_at, updated_by, version, body)
      select ${sql.lit(id)}, value->>'root' + (select min(id) from pages where account_id = ${sql.lit(id)}), value->>'name',
        value->>'urlname', value->>'position', 0, 'wysiwyg_format', 0, 0, ${sql.lit(userId)}, 0, ${sql.lit(userId)}, 1, value->>'body'
      from json_each(${JSON.stringify(pages)})`.execute(trx),
  );
}

/** Returns the same words each time, distributed as in natural languages: a few are very frequent, most are rare. */
function randomWords(characters: number): string {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const letter = () => String.fromCharCode(97 + Math.floor(random() * 26));
  const vocabulary = Array.from({ length: 20_000 }, () => {
    return Array.from({ length: 2 + Math.floor(random() * 9) }, letter).join('');
  });
  const words: string[] = [];
  for (let length = 0; length < characters; length += words.at(-1)!.length + 1) {
    words.push(vocabulary[Math.floor(vocabulary.length * random() ** 3)]!);
  }
  return words.join(' ');
}
