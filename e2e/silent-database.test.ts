import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { beforeClosing, environmentOf, makeEmptyDatabase } from '../test/databases.ts';
import { startPostgres } from '../test/global-setup.ts';
import type { Reply } from '../test/service.ts';
import { suspendPostgres } from '../test/suspended-postgres.ts';
import { customerPath, manyConnections, pagePath, send } from './load.ts';
import { eventually, spawnProgram, startProgram } from './program.ts';

/** A body that is larger than those that the main thread handles itself. */
const largeBody = 'x'.repeat(500_000);

/** The lines that each process logs when the database falls silent and when it answers again. */
const [SILENT, BACK] = ['the database does not answer', 'the database answers again'];

test('a database that stops responding', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-e2e-'));
  beforeClosing(t, () => rm(folder, { recursive: true, force: true }));
  const { postgres, folder: postgresFolder, url } = await startPostgres([]);
  let resume = () => {};
  beforeClosing(t, async () => {
    resume();
    await postgres.stop();
    await rm(postgresFolder, { recursive: true, force: true });
  });
  const database = { dataDir: folder, databaseUrl: url, databasePool: 10 };
  const program = await startProgram(t, database, { RATE_LIMIT: '0', DATABASE_TIMEOUT: '1000' });
  const { key, port, service } = program;

  await t.test('it leads to 503 at once, and the service recovers', async (t) => {
    const agent = manyConnections(t);
    const once = (name: string) => ({ 'Idempotency-Key': name.replaceAll(' ', '-') });
    const createLarge = (name: string) => service.createPage(key, { name, body: largeBody }, once(name));
    const createCustomer = (subdomain: string) =>
      send(agent, port, 'POST', customerPath(key, subdomain), once(subdomain));
    // On a busy machine, a working database may be silent for a second as well: the client retries then.
    const succeeds = async (request: () => Promise<{ status: number }>) => {
      const { status } = await eventually(t, request, ({ status }) => status !== 503);
      assert.equal(status, 200);
    };
    await succeeds(() => createLarge('Large before'));

    const acknowledged: string[] = ['Large before'];
    const refusals = new Set<string>();
    let running = true;
    t.after(() => {
      running = false;
    });
    const client = async (prefix: number) => {
      for (let count = 0; running; count++) {
        const name = `Page ${prefix}-${count}`;
        const { status, body } = await send(agent, port, 'POST', pagePath(key, name));
        if (status === 200) acknowledged.push(name);
        else refusals.add(`${status} ${JSON.parse(body).errors}`);
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, (_, index) => client(index)));
    clients.catch(() => {});
    await eventually(
      t,
      async () => acknowledged.length,
      (count) => count > 50,
    );
    // The mail of this customer is queued, and sent while the database is silent or afterwards.
    await succeeds(() => createCustomer('mailed'));
    const times = (said: string) => program.out.split(said).length - 1;
    const [silences, returns] = [times(SILENT), times(BACK)];
    resume = await suspendPostgres(postgresFolder);
    const refused = await Promise.all([
      createLarge('Large meanwhile'),
      service.get('/api/pages.json', key),
      service.request('GET', '/', { headers: { Host: `agency.localhost:${port}` } }),
    ]);
    for (const { status, headers } of refused) assert.deepEqual([status, headers['retry-after']], [503, '5']);
    await program.until(() => times(SILENT) > silences);
    assert.equal((await service.request('GET', '/readyz')).status, 503);
    assert.equal((await service.request('GET', '/healthz')).status, 200);

    resume();
    await program.until(() => times(BACK) > returns);
    const before = acknowledged.length;
    await eventually(
      t,
      async () => acknowledged.length,
      (count) => count > before + 50,
    );
    await succeeds(() => service.request('GET', '/readyz'));
    await succeeds(() => createLarge('Large after'));
    await succeeds(() => createCustomer('mailed-after'));
    const listMailFiles = async () =>
      (await readdir(join(folder, 'mail')).catch(() => [] as string[])).filter((name) => /^[^.].*\.eml$/.test(name));
    await eventually(t, listMailFiles, (names) => names.length >= 2);

    running = false;
    await clients;
    for (const refusal of refusals) assert.match(refusal, /^503 /);
    assert.ok([...refusals].some((refusal) => refusal.includes('does not answer at the moment')));
    const names = new Set((await service.pages(key)).map(({ name }) => name));
    for (const name of acknowledged) assert.ok(names.has(name), `${name} is lost`);
  });

  await t.test('a request with an Idempotency-Key that got no response is processed once when repeated', async (t) => {
    const create = (index: number) =>
      service.createPage(key, { name: `Once ${index}` }, { 'Idempotency-Key': `once-${index}` });
    const first: Promise<Reply>[] = [];
    for (let index = 0; index < 20; index++) first.push(create(index));
    // At this point some requests are answered, and some are in progress.
    await Promise.race(first);
    resume = await suspendPostgres(postgresFolder);
    for (const { status } of await Promise.all(first)) assert.ok(status === 200 || status === 503, String(status));
    resume();
    for (let index = 0; index < 20; index++) {
      await eventually(
        t,
        () => create(index),
        ({ status }) => status === 200,
      );
    }
    const names = (await service.pages(key)).map(({ name }) => name).filter((name) => name.startsWith('Once'));
    assert.equal(names.length, 20);
    assert.equal(new Set(names).size, 20);
  });

  assert.deepEqual(await program.stop(), { code: 0, signal: null });
});

test('a service is not ready before its first start is complete', async (t) => {
  const database = await makeEmptyDatabase(t, 'postgres');
  const db = await openDatabase(database);
  beforeClosing(t, () => db.destroy());
  await migrate(db);
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lock = db.transaction().execute(async (trx) => {
    await sql`lock table accounts in access exclusive mode`.execute(trx);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const program = await spawnProgram(t, environmentOf(database));
  const ready = () => program.service.request('GET', '/readyz').catch(() => undefined);
  const starting = await eventually(t, ready, (reply) => reply !== undefined);
  assert.deepEqual([starting!.status, starting!.text], [503, 'starting\n']);
  release.resolve();
  await lock;
  await eventually(t, ready, (reply) => reply?.status === 200);
  assert.match(program.out, /API key:/);
});
