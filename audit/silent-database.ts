import { Agent, type ClientRequest, type Agent as HttpAgent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { addAccount, openForFilling } from '../bench/data.ts';
import { memoryOf, type Running, resetPeakMemory, scratchFolder, startService } from '../bench/processes.ts';
import { startPostgres } from '../test/global-setup.ts';
import { SilentProxy } from '../test/silent-proxy.ts';
import { suspendPostgres } from '../test/suspended-postgres.ts';

/*
 * Measures how clients are answered while PostgreSQL is silent, with the service's default settings. `npm run audit:silent-database -- 90`
 * suspends the server (SIGSTOP) for 90 seconds, at 200 requests a second. Then its host vanishes behind a proxy that falls silent,
 * and another host takes over. Finally, commits wait for a missing standby server. Exits with 1 if a limit is missed.
 */

const stoppedMs = Number(process.argv[2] ?? 90) * 1000;
const RATE = 200;
/** How long a change of the database's state may go unnoticed: `DATABASE_TIMEOUT`, and the time until the next attempt. */
const UNKNOWN_MS = 11_000;
const MAX_ANSWER_MS = 12_000;
const MAX_KNOWN_MS = 250;
const MAX_MEMORY_MB = 250;
const MAX_RECOVERY_MS = 15_000;
const MAX_READ_MS = 100;

interface Answer {
  readonly sentAt: number;
  readonly tookMs: number;
  /** The status; 0 if the connection broke. */
  readonly status: number;
  readonly isChange: boolean;
  readonly name: string;
}

let isMissed = false;
let loads = 0;
const { postgres, folder, url: databaseUrl } = await startPostgres([]);
const db = await openForFilling({ dataDir: '', databaseUrl, databasePool: 2 });
const { key } = await addAccount(db, 'audited');
await db.destroy();
try {
  await auditStoppedServer();
  await auditVanishedHost();
  await auditWaitingCommits();
} finally {
  await postgres.stop();
}
process.exitCode = isMissed ? 1 : 0;

async function auditStoppedServer(): Promise<void> {
  await withService(databaseUrl, async (service, load) => {
    await setTimeout(5000);
    resetPeakMemory(service.pid);
    const resume = await suspendPostgres(folder);
    const stoppedAt = performance.now();
    try {
      await setTimeout(stoppedMs);
    } finally {
      resume();
    }
    const backAt = performance.now();
    await setTimeout(5000);
    const answers = await load.end();
    const meanwhile = answers.filter(({ sentAt }) => sentAt > stoppedAt && sentAt < backAt);
    const known = meanwhile.filter(({ sentAt }) => sentAt > stoppedAt + UNKNOWN_MS);
    console.log(`The server is stopped for ${stoppedMs / 1000} s at ${RATE} requests a second:`);
    note('the longest answer', Math.max(...answers.map(({ tookMs }) => tookMs)), MAX_ANSWER_MS);
    note('answers once the outage is known, p99', percentile(known, 0.99), MAX_KNOWN_MS);
    note('connections cut off', answers.filter(({ status }) => status === 0).length, 0, 'requests');
    note('the peak of memory', memoryOf(service.pid, 'VmHWM'), MAX_MEMORY_MB, 'MB');
    note('until changes are made again', firstChangeAfter(answers, backAt), MAX_RECOVERY_MS);
    note('acknowledged changes that are lost', await lost(service, answers), 0, 'pages');
  });
}

async function auditVanishedHost(): Promise<void> {
  const proxy = await SilentProxy.start(databaseUrl);
  await withService(proxy.url, async (service, load) => {
    await setTimeout(5000);
    proxy.fallSilent();
    const goneAt = performance.now();
    await setTimeout(30_000);
    proxy.beReplaced();
    const backAt = performance.now();
    await setTimeout(MAX_RECOVERY_MS);
    const answers = await load.end();
    const known = answers.filter(({ sentAt }) => sentAt > goneAt + UNKNOWN_MS && sentAt < backAt);
    console.log('The host vanishes for 30 s, and another one takes over:');
    note('the longest answer', Math.max(...answers.map(({ tookMs }) => tookMs)), MAX_ANSWER_MS);
    note('answers once the outage is known, p99', percentile(known, 0.99), MAX_KNOWN_MS);
    note('connections cut off', answers.filter(({ status }) => status === 0).length, 0, 'requests');
    note('until changes are made again', firstChangeAfter(answers, backAt), MAX_RECOVERY_MS);
    note('acknowledged changes that are lost', await lost(service, answers), 0, 'pages');
  });
  await proxy.close();
}

async function auditWaitingCommits(): Promise<void> {
  const operator = new pg.Client(databaseUrl);
  await operator.connect();
  const setStandby = async (names: string) => {
    await operator.query(`alter system set synchronous_standby_names = '${names}'`);
    await operator.query('select pg_reload_conf()');
  };
  await withService(databaseUrl, async (service, load) => {
    await setTimeout(5000);
    await setStandby('nobody');
    // The server applies the setting after a moment.
    await setTimeout(1000);
    const goneAt = performance.now();
    await setTimeout(30_000);
    const backAt = performance.now();
    await setStandby('');
    await setTimeout(5000);
    const answers = await load.end();
    const meanwhile = answers.filter(({ sentAt }) => sentAt > goneAt && sentAt < backAt);
    const reads = meanwhile.filter(({ isChange }) => !isChange);
    console.log('Commits wait for 30 s for a standby server:');
    note('the longest answer', Math.max(...answers.map(({ tookMs }) => tookMs)), MAX_ANSWER_MS);
    note('reads that are refused', reads.filter(({ status }) => status !== 200).length, 0, 'requests');
    note('reads meanwhile, p99', percentile(reads, 0.99), MAX_READ_MS);
    note('until changes are made again', firstChangeAfter(answers, backAt), MAX_RECOVERY_MS);
    note('acknowledged changes that are lost', await lost(service, answers), 0, 'pages');
  });
  await operator.end();
}

/** Prints a figure with its limit. */
function note(what: string, figure: number, floor: number, unit = 'ms'): void {
  const isMet = figure <= floor;
  if (!isMet) isMissed = true;
  console.log(`  ${what}: ${Math.round(figure)} ${unit} (at most ${floor} ${unit})${isMet ? '' : ', missed'}`);
}

function percentile(answers: readonly Answer[], part: number): number {
  const sorted = answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? Number.POSITIVE_INFINITY;
}

function firstChangeAfter(answers: readonly Answer[], at: number): number {
  const made = answers.filter(({ sentAt, status, isChange }) => sentAt > at && status === 200 && isChange);
  return Math.min(...made.map(({ sentAt, tookMs }) => sentAt + tookMs)) - at;
}

async function lost(service: Running, answers: readonly Answer[]): Promise<number> {
  const response = await fetch(`${service.url}/api/pages.json?api_key=${key}`);
  const { pages } = (await response.json()) as { pages: ReadonlyArray<{ name: string }> };
  const names = new Set(pages.map(({ name }) => name));
  return answers.filter(({ status, isChange, name }) => status === 200 && isChange && !names.has(name)).length;
}

async function withService(
  url: string,
  audit: (service: Running, load: { end(): Promise<Answer[]> }) => Promise<void>,
): Promise<void> {
  const env = { DATA_DIR: scratchFolder(), DATABASE_URL: url, LOG_LEVEL: 'info', CONNECTIONS_PER_ADDRESS: '0' };
  const service = await startService(env, undefined);
  await audit(service, startLoad(service));
  await service.stop();
}

/** Sends requests at a constant rate, however long they take: nine reads, then a change. */
function startLoad(service: Running): { end(): Promise<Answer[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 5000 });
  const load = ++loads;
  const answers: Promise<Answer>[] = [];
  const startedAt = performance.now();
  const timer = setInterval(() => {
    while (answers.length < ((performance.now() - startedAt) / 1000) * RATE) {
      const number = answers.length;
      const isChange = number % 10 === 9;
      const name = `Page ${load}-${number}`;
      const fields = new URLSearchParams({ api_key: key, ...(isChange && { 'page[name]': name }) });
      const path = `/api/${isChange ? 'pages' : 'account'}.json?${fields}`;
      answers.push(send(agent, service.url + path, isChange ? 'POST' : 'GET', { isChange, name }));
    }
  }, 5);
  return {
    end: async () => {
      clearInterval(timer);
      const all = await Promise.all(answers);
      agent.destroy();
      return all;
    },
  };
}

function send(
  agent: HttpAgent,
  url: string,
  method: string,
  about: Pick<Answer, 'isChange' | 'name'>,
): Promise<Answer> {
  const sentAt = performance.now();
  return new Promise((resolve) => {
    const done = (status: number) => resolve({ sentAt, tookMs: performance.now() - sentAt, status, ...about });
    const sent: ClientRequest = request(url, { agent, method }, (response) => {
      response.resume();
      response.once('end', () => done(response.statusCode ?? 0));
      response.once('error', () => done(0));
    });
    sent.once('error', () => done(0)).end();
  });
}
