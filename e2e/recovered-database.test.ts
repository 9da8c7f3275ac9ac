import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { beforeClosing } from '../test/databases.ts';
import { startPostgres } from '../test/global-setup.ts';
import { eventually, startProgram } from './program.ts';

const run = promisify(execFile);

test('a service that runs while its database is restored to an earlier moment shows no lost data', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-e2e-'));
  beforeClosing(t, () => rm(folder, { recursive: true, force: true }));
  // A recovery from an archive ends on a new timeline. This archive is empty.
  const { postgres, folder: postgresFolder, url } = await startPostgres(['-c', 'restore_command=false'], true);
  beforeClosing(t, async () => {
    await postgres.stop();
    await rm(postgresFolder, { recursive: true, force: true });
  });
  const [data, earlier] = [join(postgresFolder, 'data'), join(postgresFolder, 'earlier')];
  const program = await startProgram(t, { dataDir: folder, databaseUrl: url, databasePool: 10 });
  const { key, service } = program;
  const list = (headers = {}) => service.get('/api/pages.json', key, headers);
  const site = (path: string) =>
    service.request('GET', path, { headers: { Host: `agency.localhost:${program.port}` } });
  const untilAnswered = () => eventually(t, list, ({ status }) => status === 200);

  assert.equal((await service.createPage(key, { name: 'Stays' })).status, 200);
  await postgres.stop();
  await run('cp', ['-a', data, earlier]);
  await postgres.start();
  await untilAnswered();
  await eventually(
    t,
    () => service.createPage(key, { name: 'Lost' }),
    ({ status }) => status === 200,
  );
  const before = await list();
  assert.match(before.text, /"Lost"/);
  const lost = (await service.pages(key)).find(({ name }) => name === 'Lost')!;
  assert.equal((await site('/lost')).status, 200);
  assert.equal((await list({ 'If-None-Match': before.headers.etag! })).status, 304);

  await postgres.stop();
  await rm(data, { recursive: true });
  await run('mv', [earlier, data]);
  // A copy that keeps the owner of the file.
  await run('cp', ['-a', join(data, 'PG_VERSION'), join(data, 'recovery.signal')]);
  await postgres.start();
  const after = await eventually(
    t,
    () => list({ 'If-None-Match': before.headers.etag! }),
    ({ status }) => status !== 503,
  );
  assert.equal(after.status, 200);
  assert.doesNotMatch(after.text, /"Lost"/);
  assert.match(after.text, /"Stays"/);
  assert.equal((await site('/lost')).status, 404);
  const since = await service.request('GET', `/api/pages.json?api_key=${key}&since=${before.headers['pages-version']}`);
  assert.equal(since.status, 410);
  assert.match(program.out, /the database is on another server or timeline than before/);
  // Ids are not reused: a program that still has the id of the lost page must not find another page under it.
  await service.createPage(key, { name: 'New' });
  const created = (await service.pages(key)).find(({ name }) => name === 'New')!;
  assert.ok(Number(created.id.slice('page_'.length)) > Number(lost.id.slice('page_'.length)) + 600_000);

  // The next connection knows the new timeline already.
  const { etag } = (await list()).headers;
  await postgres.stop();
  await postgres.start();
  assert.equal((await untilAnswered()).headers.etag, etag);
});
