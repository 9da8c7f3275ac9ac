import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runCli } from '../test/cli.ts';
import { beforeClosing } from '../test/databases.ts';
import { HaCluster, haFolder, missingForCluster } from '../test/ha-cluster.ts';
import { HaLoad } from '../test/ha-load.ts';

const missing = missingForCluster();

test('a cluster loses nothing when an instance stops and the leader is killed, and can be restored to a moment', {
  skip: missing !== '' && missing,
}, async (t) => {
  const cluster = await HaCluster.start(t);
  const dataDir = await mkdtemp(join(tmpdir(), 'freehold-e2e-'));
  beforeClosing(t, () => rm(dataDir, { recursive: true, force: true }));
  const start = (machine: 1 | 2) => cluster.startInstance(t, machine, dataDir, { RATE_LIMIT: '0' });
  const first = await start(1);
  const { key } = first;
  await start(2);
  const list = async (headers = {}) => {
    const authorized = { Authorization: `Bearer ${key}`, ...headers };
    const response = await fetch(`${cluster.serviceUrl}/api/pages.json`, { headers: authorized });
    return { status: response.status, text: await response.text(), etag: response.headers.get('ETag') ?? '' };
  };
  // The archive receives all later changes, including those after a change of the leader.
  await cluster.do('backup');
  const metrics = await cluster.metrics(1);
  const watched = (await readFile(join(haFolder, 'README.md'), 'utf8')).match(/`(patroni|etcd|haproxy)_\w+/g) ?? [];
  assert.ok(watched.length >= 5);
  for (const name of watched)
    assert.ok(metrics.includes(`\n${name.slice(1)}{`) || metrics.includes(`\n${name.slice(1)} `), name);

  // A whole page in the URL, and requests that the service, and not HAProxy, refuses.
  const long = await send(cluster.serviceUrl, key, `page%5Bname%5D=Long&page%5Bbody%5D=${'x'.repeat(1024 * 1024)}`);
  assert.deepEqual(long, [200, '{"response":true,"errors":[]}']);
  const [refusal, words] = await send(cluster.serviceUrl, key, 'page[name]=Küche');
  assert.equal(refusal, 400);
  assert.match(words, /must be percent-encoded/);
  assert.equal((await send(cluster.serviceUrl, key, 'x'.repeat(1_130_000)))[0], 414);

  const load = new HaLoad({ url: cluster.serviceUrl, key, rate: 40 });
  beforeClosing(t, () => load.end());
  const untilMore = async () => {
    const before = load.acknowledged;
    while (load.acknowledged < before + 20) await sleep(50, undefined, { signal: t.signal });
  };

  await untilMore();
  assert.deepEqual(await first.stop(), { code: 0, signal: null });
  await untilMore();
  await start(1);
  const leader = await cluster.do('leader');
  await cluster.do('kill', leader);
  await untilMore();
  const answers = await load.end();
  for (const { statuses, answer } of answers) {
    // While there was no leader, the service itself answered 503: no broken connections, and no responses of HAProxy.
    for (const status of statuses) assert.ok(status === 200 || status === 503, `${statuses}: ${answer}`);
    assert.ok(answer.startsWith('{'), answer);
  }
  assert.deepEqual(await load.check(), { lost: [], twice: [] });

  await cluster.do('start', leader);
  await cluster.do('wait');
  const create = async (name: string) => {
    const options = { method: 'POST', headers: { Authorization: `Bearer ${key}` } };
    const query = new URLSearchParams({ 'page[name]': name });
    assert.equal((await fetch(`${cluster.serviceUrl}/api/pages.json?${query}`, options)).status, 200);
  };
  await create('Before the moment');
  const { text: wanted } = await list();
  const moment = await momentOf(cluster.databaseUrl);
  await create('After the moment');
  const { etag } = await list();
  assert.equal((await list({ 'If-None-Match': etag })).status, 304);
  await cluster.do('recover', moment);
  const recovered = await runCli({ dataDir, databaseUrl: cluster.databaseUrl, databasePool: 2 }, 'recovered', '--yes');
  assert.equal(recovered.code, 0, recovered.error);
  const after = await list({ 'If-None-Match': etag });
  assert.deepEqual([after.status, after.text === wanted], [200, true]);
  await create('After the moment');
});

/** Creates a page, with a query that is sent unencoded. */
async function send(url: string, key: string, query: string): Promise<[number | undefined, string]> {
  const { hostname, port } = new URL(url);
  const path = Buffer.from(`/api/pages.json?api_key=${key}&${query}`).toString('latin1');
  const options = { hostname, port, method: 'POST', path: 'replaced', agent: false };
  const sent = request(options);
  // Node.js refuses such a path, so it is set afterwards.
  Object.assign(sent, { path });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return [response.statusCode, await text(response)];
}

/** Returns the current time of the database in the form that pgBackRest accepts. */
async function momentOf(databaseUrl: string): Promise<string> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query(
    `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.US"+00"') as moment`,
  );
  await client.end();
  return rows[0].moment;
}
