import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../../src/db/database.ts';
import { createPage } from '../../src/pages/create-page.ts';
import { startPostgres } from '../../test/global-setup.ts';
import { tokenFor } from '../../test/person.ts';
import { addAccount, type BenchAccount, openForFilling } from '../data.ts';
import { type Running, scratchFolder, startServer, startService } from '../processes.ts';
import { round, writeSection } from '../report.ts';
import { type Attack, growthOf, MAX_GROWTH, MIN_COST_MS, type Target } from './attack.ts';
import { byImport } from './by-import.ts';
import { byKey } from './by-key.ts';
import { byPerson } from './by-person.ts';
import { byVisitor } from './by-visitor.ts';
import { measureNames } from './names.ts';
import { Probe } from './probe.ts';
import { type Measured, run } from './run.ts';
import { strangers } from './strangers.ts';

/*
 * Sends hostile input over HTTP to the real program. Measures how long other clients wait meanwhile, whether a request's cost
 * grows faster than its size, and the service's memory. Each attack has its own account.
 */

const MAX_WAIT_MS = 50;
const MAX_MEMORY_MB = 600;

const HEADING = `## Hostile inputs

Made by \`npm run bench -- hostile\`: requests of other clients while the input comes on many connections (99th percentile, at most
${MAX_WAIT_MS} ms; the median of three rounds unless the first is under 25 ms), and the processor time of one request with a quarter, half
and all of the largest input (growth for each doubling at most ${MAX_GROWTH}, where the largest takes ${MIN_COST_MS} ms or more; the
least of three rounds, or of nine where it seems to grow faster). The memory
is the largest resident one since the attack began, at most ${MAX_MEMORY_MB} MB. The attacker runs on the same two processors, and so does a bare
\`node:http\` server that nobody attacks: the times of its requests are the machine's own. Inputs on connections that stay
open are sent to it too, afterwards: "attacked" is how long its clients wait then.

| input | others wait | bare server | processor time | growth | memory | answers | met |
|---|---|---|---|---|---|---|---|`;

const rows: string[] = [];
let missed = 0;

/** Measures the attacks whose names begin with the text: all on SQLite, and those on the database also on PostgreSQL. */
export async function measureHostile(only: string): Promise<void> {
  const sqlite = { dataDir: join(scratchFolder(), 'hostile'), databaseUrl: '' };
  await measureOn('', sqlite, [...strangers, ...byKey, ...byPerson, ...byVisitor, ...byImport], only);
  const onPostgres = [...byKey, ...byPerson.filter(({ name }) => name.startsWith('person: '))];
  if (onPostgres.some(({ name }) => `${POSTGRES}${name}`.startsWith(only))) {
    const { postgres, folder, socketUrl } = await startPostgres([]);
    try {
      const database = { dataDir: join(scratchFolder(), 'hostile-postgres'), databaseUrl: socketUrl };
      await measureOn(POSTGRES, database, onPostgres, only);
    } finally {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  console.log(`\n${missed} of ${rows.length} are not met.`);
  if (only === '') writeSection([HEADING, ...rows].join('\n'));
  else console.log([HEADING, ...rows].join('\n'));
}

const POSTGRES = 'PostgreSQL, ';

async function measureOn(
  prefix: string,
  database: { dataDir: string; databaseUrl: string },
  all: readonly Attack[],
  only: string,
): Promise<void> {
  const attacks = all.filter(({ name }) => `${prefix}${name}`.startsWith(only));
  const withNames = prefix === '' && NAMES.startsWith(only);
  if (attacks.length === 0 && !withNames) return;
  const { attackers, victim } = await fill(database, attacks.length + 1);
  const env = { DATA_DIR: database.dataDir, DATABASE_URL: database.databaseUrl, PAGE_QUOTA: String(2 ** 40) };
  const service = await startService(env, '0-1');
  const port = Number(new URL(service.url).port);
  const bare = await startServer('bench/bare.ts', { cpu: undefined });
  const barePort = Number(new URL(bare.url).port);
  const probes = {
    barePort,
    ofService: new Probe(port, [
      `GET /api/account.json?api_key=${victim} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      'GET /warm HTTP/1.1\r\nHost: victim.localhost\r\n\r\n',
    ]),
    ofBare: new Probe(barePort, ['GET /bytes/1000 HTTP/1.1\r\nHost: localhost\r\n\r\n']),
  };
  for (const [index, attack] of attacks.entries()) {
    const name = `${prefix}${attack.name}`;
    try {
      report(name, await run(attack, { port, attacker: attackers[index]! }, service, probes));
    } catch (error) {
      note([name, `not measured: ${(error as Error).message}`, '', '', '', '', ''], false);
    }
  }
  if (withNames) await reportNames({ port, attacker: attackers.at(-1)! }, service);
  await Promise.all([probes.ofService.close(), probes.ofBare.close(), bare.stop()]);
  await service.stop();
}

async function fill(database: { dataDir: string; databaseUrl: string }, count: number) {
  const db = await openForFilling({ ...database, databasePool: 2 });
  const attackers: Array<Target['attacker']> = [];
  const victim = await addAccount(db, 'victim');
  await addPages(db, victim);
  for (let index = 0; index < count; index++) {
    const account = await addAccount(db, `attacker-${index}`);
    await addPages(db, account);
    const cookie = await tokenFor(db, account.id, account.userId);
    attackers.push({ ...account, cookie, site: `attacker-${index}.localhost` });
  }
  await db.destroy();
  return { attackers, victim: victim.key };
}

async function addPages(db: Db, { id, userId }: BenchAccount): Promise<void> {
  // The first page becomes the home page.
  for (const name of ['Home', 'Warm']) {
    const page = { name, body: '<p>A paragraph of ordinary length.</p>'.repeat(50), userId, ip: '192.0.2.1' };
    const none = { parentId: undefined, isHidden: undefined, description: undefined, bodyFormat: undefined };
    await db.transaction().execute((trx) => createPage(trx, id, { ...page, ...none, quota: Number.MAX_SAFE_INTEGER }));
  }
}

function report(name: string, { meanwhile, bare, attackedBare, failed, costs, statuses, memory }: Measured): void {
  const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  const growth = growthOf(costs);
  const isCheap = (costs.at(-1) ?? 0) < MIN_COST_MS;
  const waits = `${round(meanwhile, 1)} ms${failed > 0 ? `, ${failed} failed` : ''}`;
  const attacked = attackedBare === undefined ? '' : `, attacked ${round(attackedBare, 1)} ms`;
  const bareTimes = `${round(bare, 1)} ms${attacked}`;
  const times = costs.length === 0 ? '' : `${costs.map((cost) => round(cost, 1)).join(', ')} ms`;
  const isLinear = isCheap || growth <= MAX_GROWTH;
  const isMet = meanwhile <= MAX_WAIT_MS && failed === 0 && isLinear && memory <= MAX_MEMORY_MB;
  note([name, waits, bareTimes, times, isCheap ? '' : round(growth, 2), `${round(memory)} MB`, answers], isMet);
}

const NAMES = 'names: 16,000 that collide, the last thousand against the first';

async function reportNames(target: Target, service: Running): Promise<void> {
  const { first, last } = await measureNames(target, service);
  const times = `${round(first / 1000, 2)}, ${round(last / 1000, 2)} ms each`;
  note([NAMES, '', '', times, round(last / first, 2), '', ''], last / first <= MAX_GROWTH);
}

function note(cells: readonly string[], isMet: boolean): void {
  if (!isMet) missed += 1;
  const row = `| ${[...cells, isMet ? 'yes' : '**no**'].join(' | ')} |`;
  rows.push(row);
  console.log(row);
}
