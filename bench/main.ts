import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../test/global-setup.ts';
import { measureBackups } from './backups.ts';
import { measureLargeChange } from './changes.ts';
import { measureCustomers, measureSyncs } from './creations.ts';
import { addAccount, addTypicalPages, openForFilling } from './data.ts';
import { fill } from './fill.ts';
import { measureHostile } from './hostile/main.ts';
import { measurePageImport } from './imports.ts';
import { loadTool } from './load.ts';
import { measureManyCustomers } from './many-customers.ts';
import { memoryOf, scratchFolder, startServer, startService } from './processes.ts';
import { measureChangedList, measureChanges, measureLargeList, measureReads } from './reads.ts';
import { median, note, only, ratio, round, TURNS, writeResults } from './report.ts';
import { newPage, post } from './requests.ts';
import { measureAgency } from './revenue.ts';
import { measureScale } from './scale.ts';
import { measureSearch } from './search.ts';
import { compareColdSites, measureSites } from './sites.ts';
import { measureWebhooks } from './webhooks.ts';

/*
 * Compares the service with bare servers in the same run, in turns, so that changes of the machine's speed affect both. Every
 * figure is the median of the turns. An argument restricts the run to measurements whose names contain it.
 */
const folder = scratchFolder();

async function measureStart(dataDir: string): Promise<void> {
  if (!'start to first answer'.includes(only) && !'memory'.includes(only)) return;
  const times: number[] = [];
  let idle = 0;
  for (let turn = 0; turn < TURNS / 3; turn++) {
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
  await measureChanges(service, data);
  const ratios = await measureReads(service, bare, data);

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
  await measureSyncs(dataDir, data);
  const second = data.sixtyFour[0]!;
  await ratio(
    'POST pages.json, 100,000 pages against an empty account',
    0.8,
    () => post(service, [newPage(data.manyPages)]),
    () => post(service, [newPage(second)]),
  );
  await measureSites(service, bare);
  note('memory after the benchmark', `${round(memoryOf(service.pid))} MB`, 'under 300 MB', memoryOf(service.pid) < 300);
  await service.stop();

  const free = await startService({ DATA_DIR: dataDir }, '0-1');
  await measureCustomers(free, data);
  await measureLargeChange(free, dataDir, data);
  await measurePageImport(free, { dataDir, databaseUrl: '' });
  await measureManyCustomers(free, { dataDir, databaseUrl: '' });
  await free.stop();
  await bare.stop();
  // This needs its own database: the customers created above already have lines in the ledger.
  const agencyDir = join(folder, 'agency');
  const agency = await startService({ DATA_DIR: agencyDir }, '0-1');
  await measureAgency(agency, { dataDir: agencyDir, databaseUrl: '' });
  await measureSearch(agency, { dataDir: agencyDir, databaseUrl: '' });
  await agency.stop();
  await measureWebhooks({ dataDir: join(folder, 'webhooks'), databaseUrl: '' });
  return ratios;
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
    await measureChanges(service, data, 'PostgreSQL: ');
    const ratios = await measureReads(service, bare, data, 'PostgreSQL: ');
    for (const name of Object.keys(ratios)) {
      const [mine, theirs] = [ratios[name], sqlite[name]];
      if (mine === undefined || theirs === undefined) continue;
      note(`PostgreSQL against SQLite: ${name}`, `${round(mine / theirs, 2)}`, '0.40', mine / theirs >= 0.4);
    }
    await ratio(
      'PostgreSQL: POST pages.json, 64 clients, 64 accounts',
      0.05,
      () => post(service, data.sixtyFour.map(newPage)),
      () => post(bare, ['/?']),
    );
    const { empty } = data;
    await ratio(
      'PostgreSQL: POST pages.json, one account, 16 clients against 1',
      3,
      () => post(service, [newPage(empty)], 16),
      () => post(service, [newPage(empty)], 1),
    );
    await compareColdSites(service, 'PostgreSQL: ');
    await service.stop();
    await bare.stop();
    const free = await startService(env, '0-1');
    await measurePageImport(free, { dataDir: env.DATA_DIR, databaseUrl: url }, 'PostgreSQL: ');
    await measureManyCustomers(free, { dataDir: env.DATA_DIR, databaseUrl: url }, 'PostgreSQL: ');
    await free.stop();
    await postgres.createDatabase('agency');
    const own = { dataDir: env.DATA_DIR, databaseUrl: url.replace(/postgres$/, 'agency') };
    const agency = await startService({ DATA_DIR: own.dataDir, DATABASE_URL: own.databaseUrl }, '0-1');
    await measureAgency(agency, own, 'PostgreSQL: ');
    await measureSearch(agency, own, 'PostgreSQL: ');
    await agency.stop();
    await postgres.createDatabase('webhooks');
    await measureWebhooks({ ...own, databaseUrl: url.replace(/postgres$/, 'webhooks') }, 'PostgreSQL: ');
  } finally {
    await postgres.stop();
    rmSync(postgresFolder, { recursive: true, force: true });
  }
}

if (only === 'hostile') {
  await measureHostile(process.argv.slice(3).join(' '));
} else if (only === 'backups') {
  await measureBackups(process.argv[3] ?? '');
} else if (only === 'scale') {
  await measureScale(process.argv[3] ?? '');
} else {
  await onPostgres(await onSqlite());
  writeResults();
}
