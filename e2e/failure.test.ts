import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { runCli } from '../test/cli.ts';
import { beforeClosing, makeEmptyDatabase, makeMigratedDatabase } from '../test/databases.ts';
import { startPostgres } from '../test/global-setup.ts';
import { openMailbox } from '../test/mailbox.ts';
import { customerPath, manyConnections, pagePath, send } from './load.ts';
import { eventually, type Program, startProgram } from './program.ts';

const run = promisify(execFile);
const text = 'x'.repeat(10_000);

// Each process notices by itself that the database is gone. Here two do, and in silent-database.test.ts one does.
test('a service without its database answers 503, and recovers with it, losing no page', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-e2e-'));
  beforeClosing(t, () => rm(folder, { recursive: true, force: true }));
  const { postgres, folder: postgresFolder, url } = await startPostgres([], true);
  // Stopped after the program, which is still connected.
  t.after(async () => {
    await postgres.stop();
    await rm(postgresFolder, { recursive: true, force: true });
  });
  const database = { dataDir: folder, databaseUrl: url, databasePool: 10 };
  const program = await startProgram(t, database, { WORKERS: '2', RATE_LIMIT: '0' });
  const { key, port, service } = program;
  const agent = manyConnections(t);
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  let running = true;
  // Ends the clients even if the test fails: the program is gone then, and nothing else would end them.
  t.after(() => {
    running = false;
  });
  const client = async (prefix: number) => {
    for (let count = 0; running; count++) {
      const name = `Page ${prefix}-${count}`;
      const { status, body } = await send(agent, port, 'POST', pagePath(key, name));
      statuses.add(status);
      assert.equal(JSON.parse(body).response, status === 200);
      if (status === 200) acknowledged.push(name);
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, (_, index) => client(index)));
  clients.catch(() => {});
  await eventually(
    t,
    async () => acknowledged.length,
    (count) => count > 50,
  );
  await postgres.stop();
  const away = await eventually(
    t,
    () => send(agent, port, 'POST', pagePath(key, 'Away')),
    ({ status }) => status !== 200,
  );
  assert.equal(away.status, 503, away.body);
  assert.match(JSON.parse(away.body).errors, /Try again/);
  assert.equal((await service.get('/api/pages.json', key)).status, 503);
  assert.equal((await service.request('GET', '/readyz')).status, 503);
  assert.equal((await service.request('GET', '/healthz')).status, 200);
  const metrics = await service.request('GET', '/metrics');
  assert.equal(metrics.status, 200);
  assert.match(metrics.text, /freehold_http_request_seconds_count.*status="503"/);

  await postgres.start();
  await eventually(
    t,
    () => service.request('GET', '/readyz'),
    ({ status }) => status === 200,
  );
  const before = acknowledged.length;
  await eventually(
    t,
    async () => acknowledged.length,
    (count) => count > before + 50,
  );
  running = false;
  await clients;
  assert.deepEqual([...statuses].toSorted(), [200, 503]);
  const names = new Set((await service.pages(key)).map(({ name }) => name));
  for (const name of acknowledged) assert.ok(names.has(name), `${name} is lost`);
  const doctor = await runCli(database, 'doctor', '--json');
  assert.deepEqual(JSON.parse(doctor.out).problems, []);
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
});

test('a full disk leads to 503 without losing an acknowledged page, and the service recovers', async (t) => {
  const database = await makeEmptyDatabase(t, 'sqlite');
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', database.dataDir]).catch(
    () => undefined,
  );
  if (!mounted) return t.skip('this user may not mount a small disk');
  beforeClosing(t, () => run('umount', ['-l', database.dataDir]));
  const program = await startProgram(t, database, { RATE_LIMIT: '0' });
  const acknowledged = await fill(program);
  await run('mount', ['-o', 'remount,size=30m', database.dataDir]);
  await checkAfter(program, acknowledged);
  const doctor = await runCli(database, 'doctor', '--json');
  assert.deepEqual(JSON.parse(doctor.out).problems, []);
});

test('a file at its size limit leads to 503, and a restart has every acknowledged page', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  // `ulimit -f` counts blocks of 512 bytes.
  const limited = await startProgram(t, database, { RATE_LIMIT: '0' }, ['sh', '-c', 'ulimit -f 3000; exec "$@"', 'sh']);
  const { key } = limited;
  const acknowledged = await fill(limited);
  await limited.stop();
  const program = await startProgram(t, database);
  const names = new Set((await program.service.pages(key)).map(({ name }) => name));
  for (const name of acknowledged) assert.ok(names.has(name), `${name} is lost`);
  assert.equal(names.size, acknowledged.length);
  const doctor = await runCli(database, 'doctor', '--json');
  assert.deepEqual(JSON.parse(doctor.out).problems, []);
});

/** Creates pages until storage is full. Returns the names of the acknowledged pages. */
async function fill({ key, service }: Program): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let count = 0; ; count++) {
    const names = Array.from({ length: 10 }, (_, index) => `Page ${count}-${index}`);
    const replies = await Promise.all(names.map((name) => service.createPage(key, { name, body: text })));
    replies.forEach(({ status, json }, index) => {
      assert.ok(status === 200 || status === 503, `${status} ${JSON.stringify(json)}`);
      assert.equal(json.response, status === 200);
      if (status === 200) acknowledged.push(names[index]!);
    });
    if (replies.every(({ status }) => status === 503)) return acknowledged;
    assert.ok(count < 200, 'the storage never becomes full');
  }
}

async function checkAfter({ key, service }: Program, acknowledged: string[]): Promise<void> {
  assert.equal((await service.createPage(key, { name: 'Room again', body: text })).status, 200);
  const names = (await service.pages(key)).map(({ name }) => name);
  assert.deepEqual(names.toSorted(), [...acknowledged, 'Room again'].toSorted());
}

test('a mail server that is silent, gone or refusing delays no response', async (t) => {
  const mailbox = await openMailbox(t);
  mailbox.treat = () => 'mute';
  const database = await makeMigratedDatabase(t, 'sqlite');
  const program = await startProgram(t, database, { SMTP_URL: mailbox.url.replace('//', '//joe:open-sesame@') });
  const agent = manyConnections(t);
  const create = (subdomain: string) => send(agent, program.port, 'POST', customerPath(program.key, subdomain));
  // More messages than are sent at once, so that unanswered ones occupy all connections.
  for (let index = 0; index < 8; index++) assert.equal((await create(`mute-${index}`)).status, 200);
  await mailbox.asked(5);
  assert.equal((await create('still-mute')).status, 200);
  await program.kill();

  await mailbox.close();
  const second = await startProgram(t, database, { SMTP_URL: mailbox.url });
  const post = (subdomain: string) => send(agent, second.port, 'POST', customerPath(program.key, subdomain));
  assert.equal((await post('dead')).status, 200);
  mailbox.treat = () => 'refuse';
  await mailbox.open();
  assert.equal((await post('refused')).status, 200);
  await mailbox.asked(6);
  assert.doesNotMatch(program.out + second.out + program.errors + second.errors, /open-sesame|horse/);
});

test('mail is written to files if no mail server is set', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const program = await startProgram(t, database);
  const agent = manyConnections(t);
  await Promise.all(
    Array.from({ length: 5 }, (_, index) => send(agent, program.port, 'POST', customerPath(program.key, `c${index}`))),
  );
  const folder = join(database.dataDir, 'mail');
  const messages = async (): Promise<string[]> =>
    (await readdir(folder).catch(() => [] as string[])).filter((name) => /^[^.].*\.eml$/.test(name));
  await eventually(t, messages, (names) => names.length === 5);
});
