import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/global-setup.ts';
import {
  addAccount,
  addManyCustomers,
  addManyPages,
  addTypicalPages,
  type BenchAccount,
  openForFilling,
} from './data.ts';
import { load, loadTool, type Measured } from './load.ts';
import { memoryOf, type Running, scratchFolder, startServer, startService } from './processes.ts';
import { fillSites, measureSites, type SiteData } from './sites.ts';

/*
 * Measures the service against bare servers in the same run, in turns, so that a machine that grows slower or faster
 * meanwhile does so for both. Every figure is the median of the turns. Run with a name to measure only what has it.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const TURNS = Number(process.env.BENCH_TURNS ?? 3);
const only = process.argv[2] ?? '';

interface Result {
  work: string;
  measured: string;
  target: string;
  met: boolean | undefined;
}
const results: Result[] = [];

function note(work: string, measured: string, target = '', met?: boolean): void {
  results.push({ work, measured, target, met });
  const verdict = met === undefined ? '' : met ? '  ok' : '  SHORT';
  console.log(`${work}: ${measured}${target && `  (at least ${target})`}${verdict}`);
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const round = (number: number, digits = 0) =>
  number.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });

/** Runs both in turns; the ratio is the median of the ratios of each turn. */
async function compare(
  ours: () => Promise<Measured>,
  other: () => Promise<Measured>,
): Promise<{ ours: Measured; ratio: number; text: string }> {
  await ours();
  await other();
  const pairs: Array<{ mine: Measured; theirs: Measured }> = [];
  for (let turn = 0; turn < TURNS; turn++) pairs.push({ mine: await ours(), theirs: await other() });
  for (const { mine } of pairs) if (mine.failed > 0) throw new Error(`${mine.failed} requests failed`);
  const ratio = median(pairs.map(({ mine, theirs }) => mine.perSecond / theirs.perSecond));
  const mine = median(pairs.map((pair) => pair.mine.perSecond));
  const theirs = median(pairs.map((pair) => pair.theirs.perSecond));
  return {
    ours: pairs.at(-1)!.mine,
    ratio,
    text: `${round(ratio, 2)}  (${round(mine)}/s against ${round(theirs)}/s)`,
  };
}

async function ratio(
  work: string,
  target: number | undefined,
  ours: () => Promise<Measured>,
  other: () => Promise<Measured>,
): Promise<number | undefined> {
  if (!work.includes(only)) return undefined;
  const { ratio, text, ours: last } = await compare(ours, other);
  note(work, text, target?.toFixed(2), target === undefined ? undefined : ratio >= target);
  return last.perSecond;
}

const folder = scratchFolder();

interface Data extends SiteData {
  typical: BenchAccount;
  empty: BenchAccount;
  manyPages: BenchAccount;
  manyCustomers: BenchAccount;
  oneCustomer: BenchAccount;
  sixtyFour: BenchAccount[];
}

async function fill(config: { dataDir: string; databaseUrl: string }): Promise<Data> {
  const db = await openForFilling({ ...config, databasePool: 4 });
  try {
    const typical = await addAccount(db, 'typical');
    await addTypicalPages(db, typical);
    const empty = await addAccount(db, 'empty');
    const manyPages = await addAccount(db, 'many-pages');
    await addManyPages(db, manyPages, 100_000);
    const oneCustomer = await addAccount(db, 'one-customer');
    await addManyCustomers(db, oneCustomer, 1);
    const manyCustomers = await addAccount(db, 'many-customers');
    await addManyCustomers(db, manyCustomers, 100_000);
    const sixtyFour: BenchAccount[] = [];
    for (let index = 0; index < 64; index++) sixtyFour.push(await addAccount(db, `account-${index}`));
    const sites = await fillSites(db, manyPages);
    return { typical, empty, manyPages, manyCustomers, oneCustomer, sixtyFour, ...sites };
  } finally {
    await db.destroy();
  }
}

const get = (server: Running, path: string, more: { headers?: Record<string, string>; connections?: number } = {}) =>
  load({ url: `${server.url}${path}`, connections: 16, seconds: SECONDS, ...more });

const newPage = ({ key }: BenchAccount) =>
  `/api/pages.json?api_key=${key}&page%5Bbody%5D=%3Cp%3EHello%3C%2Fp%3E&page%5Bname%5D=Bench-`;

const post = (server: Running, paths: string[], connections = 64) =>
  load({ url: server.url, connections, seconds: SECONDS, posts: paths });

/** The reads. On PostgreSQL (`on` says so) their ratios to the bare server are for information. */
async function measureReads(service: Running, bare: Running, { typical, manyCustomers, oneCustomer }: Data, on = '') {
  const list = `/api/pages.json?api_key=${typical.key}`;
  const answer = await fetch(service.url + list);
  const size = (await answer.arrayBuffer()).byteLength;
  const etag = answer.headers.get('etag')!;
  const account = `/api/account.json?api_key=${typical.key}`;
  const accountSize = (await (await fetch(service.url + account)).arrayBuffer()).byteLength;
  const rates: Record<string, number | undefined> = {};
  rates.list = await ratio(
    `${on}pages.json, 100 pages, ${round(size / 1000)} KB, unchanged`,
    on ? undefined : 0.9,
    () => get(service, list),
    () => get(bare, `/bytes/${size}`),
  );
  rates.account = await ratio(
    `${on}account.json`,
    on ? undefined : 0.7,
    () => get(service, account),
    () => get(bare, `/bytes/${accountSize}`),
  );
  rates.notModified = await ratio(
    `${on}pages.json, If-None-Match: 304`,
    on ? undefined : 0.7,
    () => get(service, list, { headers: { 'If-None-Match': etag } }),
    () => get(bare, '/304'),
  );
  await ratio(
    `${on}account.json, 100,000 customers against 1`,
    0.9,
    () => get(service, `/api/account.json?api_key=${manyCustomers.key}`),
    () => get(service, `/api/account.json?api_key=${oneCustomer.key}`),
  );
  return rates;
}

/** 16 clients create a page before every list they ask for, as often on both servers; the time is that of the lists. */
async function measureChangedList(service: Running, tree: Running, { typical }: Data): Promise<void> {
  const work = 'pages.json, a page created before every request';
  if (!work.includes(only)) return;
  const clients = 16;
  const cycles = 4;
  const time = async (base: string, add: (name: string) => string, list: string) => {
    let total = 0;
    const client = async (_: unknown, number: number) => {
      for (let cycle = 0; cycle < cycles; cycle++) {
        await (await fetch(base + add(`${number}-${cycle}`), { method: 'POST' })).arrayBuffer();
        const started = performance.now();
        // Uncompressed, like the bare server's.
        await (await fetch(base + list, { headers: { 'Accept-Encoding': 'identity' } })).arrayBuffer();
        total += performance.now() - started;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return total / (clients * cycles);
  };
  const ours: number[] = [];
  const theirs: number[] = [];
  const page = newPage(typical);
  for (let turn = 0; turn <= TURNS; turn++) {
    const list = `/api/pages.json?api_key=${typical.key}`;
    ours.push(await time(service.url, (name) => `${page}changed-${turn}-${name}`, list));
    theirs.push(await time(tree.url, () => '/tree', '/tree'));
  }
  const [mine, bare] = [median(ours.slice(1)), median(theirs.slice(1))];
  note(work, `${round(bare / mine, 2)}  (${round(mine, 2)} ms against ${round(bare, 2)} ms)`, '1.00', bare >= mine);
}

/** How many creations share one sync to disk: counted by the kernel, where strace is to be had. */
async function measureSyncs(service: Running, { empty }: Data): Promise<void> {
  const work = 'POST pages.json: creations to one sync';
  if (!work.includes(only) || spawnSync('strace', ['-V']).error) return;
  const trace = spawn('strace', ['-f', '-c', '-e', 'trace=fsync,fdatasync', '-p', String(service.pid)]);
  let output = '';
  trace.stderr.on('data', (chunk) => {
    output += chunk;
  });
  await new Promise((resolve) => trace.stderr.once('data', resolve));
  const { requests } = await post(service, [newPage(empty)]);
  trace.kill('SIGINT');
  await new Promise((resolve) => trace.once('close', resolve));
  const syncs = [...output.matchAll(/\s(\d+)\s+(?:\d+\s+)?(?:fsync|fdatasync)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
  note(work, `${round(requests / syncs, 1)}  (${requests} creations, ${syncs} syncs)`, '8', requests / syncs >= 8);
}

async function measureCustomers(service: Running, { typical, empty }: Data): Promise<void> {
  const work = 'POST customers.json, 8 clients';
  if (!work.includes(only)) return;
  const password = encodeURIComponent('rise early 4 bread');
  const path = `/api/customers.json?api_key=${typical.key}&customer%5Baccount_name%5D=Acme&customer%5Buser_name%5D=Ann&customer%5Buser_email%5D=ann%40example.com&customer%5Buser_password%5D=${password}&customer%5Buser_password_confirmation%5D=${password}&customer%5Baccount_subdomain%5D=bench-`;
  const raw = () =>
    Number(execFileSync(process.execPath, [join(import.meta.dirname, 'argon2.ts'), '8', String(SECONDS)]));
  const ratios: number[] = [];
  const p99s: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const base = raw();
    const [creations, others] = await Promise.all([
      load({ url: service.url, connections: 8, seconds: SECONDS, posts: [path] }),
      quietly(`${service.url}/api/account.json?api_key=${empty.key}`, SECONDS),
    ]);
    if (creations.failed > 0) throw new Error(`${creations.failed} customers failed`);
    ratios.push(creations.perSecond / base);
    p99s.push(others);
  }
  note(work, `${round(median(ratios), 2)} of the raw Argon2id rate`, '0.90', median(ratios) >= 0.9);
  note(
    '… meanwhile account.json of another account, p99',
    `${round(median(p99s), 1)} ms`,
    'under 20 ms',
    median(p99s) < 20,
  );
}

/**
 * The 99th percentile of requests made one at a time, every 20 ms, in milliseconds. By the leanest client there is: what
 * measures takes processor time from what is measured.
 */
async function quietly(url: string, seconds: number, until: Promise<unknown> = Promise.resolve()): Promise<number> {
  const times: number[] = [];
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + seconds * 1000;
  let pending = true;
  void until.then(() => {
    pending = false;
  });
  while (performance.now() < end || (seconds === 0 && pending)) {
    const started = performance.now();
    await read(url, agent);
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  agent.destroy();
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

function read(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (answer) => answer.on('end', resolve).on('error', reject).resume())
      .on('error', reject)
      .end();
  });
}

async function measureLargeList(service: Running, { manyPages, empty }: Data): Promise<void> {
  const work = 'pages.json of 100,000 pages';
  if (!work.includes(only)) return;
  const before = memoryOf(service.pid);
  let size = 0;
  const started = performance.now();
  const reading = (async () => {
    const plain = { headers: { 'Accept-Encoding': 'identity' } };
    for await (const chunk of (await fetch(`${service.url}/api/pages.json?api_key=${manyPages.key}`, plain)).body!)
      size += chunk.length;
  })();
  const others = await quietly(`${service.url}/api/account.json?api_key=${empty.key}`, 0, reading);
  await reading;
  const seconds = (performance.now() - started) / 1000;
  const peak = memoryOf(service.pid, 'VmHWM');
  note(`${work}: time`, `${round(seconds, 2)} s for ${round(size / 1e6)} MB`);
  note(
    `${work}: memory, highest against before`,
    `${round(peak)} MB against ${round(before)} MB`,
    'under twice',
    peak < 2 * before,
  );
  note('… meanwhile account.json of another account, p99', `${round(others, 1)} ms`, 'under 50 ms', others < 50);
}

async function measureStart(dataDir: string): Promise<void> {
  if (!'start to first answer'.includes(only) && !'memory'.includes(only)) return;
  const times: number[] = [];
  let idle = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const started = performance.now();
    const service = await startService({ DATA_DIR: dataDir });
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    idle = memoryOf(service.pid);
    await service.stop();
  }
  note(
    'start to first answer with an existing database',
    `${round(median(times))} ms`,
    'under 1 s',
    median(times) < 1000,
  );
  note('memory of the idle process', `${round(idle)} MB`, 'under 120 MB', idle < 120);
}

async function onSqlite() {
  console.log(`\nSQLite (load by ${loadTool})`);
  const dataDir = join(folder, 'sqlite');
  const data = await fill({ dataDir, databaseUrl: '' });
  await measureStart(dataDir);
  const bare = await startServer('bench/bare.ts');
  const service = await startService({ DATA_DIR: dataDir });
  await measureLargeList(service, data);
  const rates = await measureReads(service, bare, data);

  const copy = join(folder, 'bare');
  await fill100(copy);
  const tree = await startServer('bench/bare.ts', {
    env: { BARE_DATABASE: join(copy, 'freehold.db') },
  });
  await measureChangedList(service, tree, data);
  await tree.stop();

  await ratio(
    'POST pages.json, 64 clients, synchronous=FULL',
    0.2,
    () => post(service, [newPage(data.empty)]),
    () => post(bare, ['/?']),
  );
  await measureSyncs(service, data);
  const second = data.sixtyFour[0]!;
  await ratio(
    'POST pages.json, 100,000 pages against an empty account',
    0.8,
    () => post(service, [newPage(data.manyPages)]),
    () => post(service, [newPage(second)]),
  );
  await measureSites(service, bare, { only, seconds: SECONDS, note, ratio });
  note('memory after the benchmark', `${round(memoryOf(service.pid))} MB`, 'under 300 MB', memoryOf(service.pid) < 300);
  await service.stop();

  const free = await startService({ DATA_DIR: dataDir }, '0-1');
  await measureCustomers(free, data);
  await free.stop();
  await bare.stop();
  return rates;
}

async function fill100(dataDir: string): Promise<void> {
  const db = await openForFilling({ dataDir, databaseUrl: '', databasePool: 2 });
  await addTypicalPages(db, await addAccount(db, 'typical'));
  await db.destroy();
}

async function onPostgres(sqlite: Record<string, number | undefined>) {
  console.log('\nPostgreSQL');
  const { postgres, folder: postgresFolder, socketUrl: url } = await startPostgres([]);
  try {
    const env = { DATA_DIR: join(folder, 'postgres'), DATABASE_URL: url };
    const data = await fill({ dataDir: env.DATA_DIR, databaseUrl: url });
    const bare = await startServer('bench/bare.ts');
    const service = await startService(env);
    console.log(
      'PostgreSQL is reached by its local socket, and runs where it likes; the ratios against the bare server:',
    );
    const rates = await measureReads(service, bare, data, 'PostgreSQL: ');
    for (const name of Object.keys(rates)) {
      const [mine, theirs] = [rates[name], sqlite[name]];
      if (mine === undefined || theirs === undefined) continue;
      note(`PostgreSQL against SQLite: ${name}`, `${round(mine / theirs, 2)}`, '0.40', mine / theirs >= 0.4);
    }
    await ratio(
      'PostgreSQL: POST pages.json, 64 clients, 64 accounts',
      0.05,
      () => post(service, data.sixtyFour.map(newPage)),
      () => post(bare, ['/?']),
    );
    await service.stop();
    await bare.stop();
  } finally {
    await postgres.stop();
    rmSync(postgresFolder, { recursive: true, force: true });
  }
}

function writeResults(): void {
  const rows = results.map(({ work, measured, target, met }) => {
    const verdict = met === undefined ? '' : met ? 'yes' : '**no**';
    return `| ${work} | ${measured.replace(/\s+/g, ' ')} | ${target} | ${verdict} |`;
  });
  const date = new Date().toISOString().slice(0, 10);
  const text = `# Benchmark results

Made by \`npm run bench\` on ${date}: Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load by ${loadTool},
${TURNS} turns of ${SECONDS} s each, medians. Ratios are against the bare server of \`bench/bare.ts\` in the same run, unless the work says otherwise.
The list after a creation is timed as its 16 clients have to wait for it, uncompressed. Customers are created by a
service that may use both processors, like the raw hashes beside it. Creations to one sync are counted under strace, which
slows them. This is one run: on a shared machine the ratios of another can differ by a third.

| work | measured | at least | met |
|---|---|---|---|
${rows.join('\n')}
`;
  writeFileSync(join(import.meta.dirname, 'results.md'), text);
}

const rates = await onSqlite();
await onPostgres(rates);
if (only === '') writeResults();
