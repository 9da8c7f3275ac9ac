import { join } from 'node:path';
import { createPage } from '../../src/pages/create-page.ts';
import { tokenFor } from '../../test/person.ts';
import { addAccount, openForFilling } from '../data.ts';
import { memoryOf, type Running, scratchFolder, startService } from '../processes.ts';
import { round } from '../report.ts';
import type { Target } from './attack.ts';
import { byKey } from './by-key.ts';
import { byPerson } from './by-person.ts';
import { byVisitor } from './by-visitor.ts';
import { measureNames } from './names.ts';
import { Probe } from './probe.ts';
import { type Measured, run } from './run.ts';
import { strangers } from './strangers.ts';

/*
 * Hostile inputs over HTTP against the real program on SQLite: what others wait meanwhile, whether the cost of a request
 * grows with its size and no faster, and how much memory the service takes.
 */

const MAX_WAIT_MS = 50;
/** The highest ratio between the costs of an input of twice the size and the input itself. */
const MAX_GROWTH = 2.6;
const MAX_MEMORY_MB = 600;
/** Inputs that cost less are not worth an attack, and cannot be measured precisely. */
const MIN_COST_MS = 5;

interface Row {
  readonly work: string;
  readonly measured: string;
  readonly atMost: string;
  readonly met: boolean;
}

const rows: Row[] = [];

/** Measures the attacks that have the text in their names. */
export async function measureHostile(only: string): Promise<void> {
  const dataDir = join(scratchFolder(), 'hostile');
  const { attacker, victim } = await fill(dataDir);
  const service = await startService({ DATA_DIR: dataDir, DATABASE_URL: '' }, '0-1');
  const port = Number(new URL(service.url).port);
  const probe = new Probe(port, [
    `GET /api/account.json?api_key=${victim} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    'GET /warm HTTP/1.1\r\nHost: victim.localhost\r\n\r\n',
  ]);
  const target: Target = { port, attacker };
  for (const attack of [...strangers, ...byKey, ...byPerson, ...byVisitor]) {
    if (attack.name.includes(only)) report(attack.name, await run(attack, target, service, probe));
  }
  if ('names: 16,000 that collide'.includes(only)) await reportNames(target, service);
  await probe.close();
  await service.stop();
  summarise();
}

async function fill(dataDir: string): Promise<{ attacker: Target['attacker']; victim: string }> {
  const db = await openForFilling({ dataDir, databaseUrl: '', databasePool: 2 });
  const [victim, attacker] = [await addAccount(db, 'victim'), await addAccount(db, 'attacker')];
  for (const { id, userId } of [victim, attacker]) {
    // The first one is the home page.
    for (const name of ['Home', 'Warm']) {
      const page = { name, body: '<p>A paragraph of ordinary length.</p>'.repeat(50), userId, apiClient: null };
      const none = { parentId: undefined, isHidden: undefined, description: undefined, bodyFormat: undefined };
      await db
        .transaction()
        .execute((trx) => createPage(trx, id, { ...page, ...none, quota: Number.MAX_SAFE_INTEGER }));
    }
  }
  const cookie = await tokenFor(db, attacker.id, attacker.userId);
  await db.destroy();
  return { attacker: { ...attacker, cookie }, victim: victim.key };
}

function report(name: string, { quiet, meanwhile, failed, costs, statuses, memory }: Measured): void {
  const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  const failures = failed > 0 ? `, ${failed} failed` : '';
  note({
    work: `${name}: p99 of others`,
    measured: `${round(meanwhile, 1)} ms (quiet ${round(quiet, 1)} ms${failures}; ${answers})`,
    atMost: `${MAX_WAIT_MS} ms`,
    met: meanwhile <= MAX_WAIT_MS && failed === 0,
  });
  const [half, whole] = costs.slice(-2);
  if (half !== undefined && whole !== undefined) {
    note({
      work: `${name}: twice the size`,
      measured: `${round(whole / half, 2)} times the processor time (${round(half, 1)} and ${round(whole, 1)} ms)`,
      atMost: String(MAX_GROWTH),
      met: whole < MIN_COST_MS || whole / half <= MAX_GROWTH,
    });
  }
  noteMemory(name, memory);
}

let mostMemory = 0;
/** The attack that took the service beyond its memory. */
let memoryIsOf = '';

function noteMemory(name: string, memory: number): void {
  if (memory > MAX_MEMORY_MB && mostMemory <= MAX_MEMORY_MB) memoryIsOf = name;
  mostMemory = Math.max(mostMemory, memory);
}

async function reportNames(target: Target, service: Running): Promise<void> {
  const { first, last } = await measureNames(target, service);
  note({
    work: 'names: 16,000 that collide, the last thousand against the first',
    measured: `${round(last / first, 2)} times the processor time`,
    atMost: String(MAX_GROWTH),
    met: last / first <= MAX_GROWTH,
  });
  noteMemory('names', memoryOf(service.pid, 'VmHWM'));
}

function note(row: Row): void {
  rows.push(row);
  console.log(`${row.work}: ${row.measured}  (at most ${row.atMost})${row.met ? '  ok' : '  MORE'}`);
}

function summarise(): void {
  note({
    work: 'memory of the service over all',
    measured: `${round(mostMemory)} MB${memoryIsOf && `, beyond it with "${memoryIsOf}"`}`,
    atMost: `${MAX_MEMORY_MB} MB`,
    met: mostMemory <= MAX_MEMORY_MB,
  });
  console.log('\n| work | measured | at most | met |\n|---|---|---|---|');
  for (const { work, measured, atMost, met } of rows) {
    console.log(`| ${work} | ${measured} | ${atMost} | ${met ? 'yes' : '**no**'} |`);
  }
  console.log(`\n${rows.filter(({ met }) => !met).length} of ${rows.length} are not met.`);
}
