import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { makeEmptyDatabase } from '../test/databases.ts';
import { startWithStandby } from '../test/standby.ts';
import { type Program, startProgram } from './program.ts';

/** The numbers of the pages that are created, each of which must be in the next response. Page 0 is the home page. */
const numbers = Array.from({ length: 30 }, (_, index) => index);

test('lists and sites are read from a replica, and never show less than the primary', async (t) => {
  const servers = await startWithStandby(t);
  const program = await start(t, servers);
  const { key } = program;
  const list = async () => {
    const { text } = await program.service.request('GET', `/api/pages.json?api_key=${key}`);
    return JSON.parse(text).pages.map(({ name }: { name: string }) => name) as string[];
  };

  await t.test('a replica that is behind is not read', async () => {
    await servers.caughtUp();
    await servers.delay('10min');
    for (const number of numbers) {
      const name = `Page ${number}`;
      const created = await program.service.request(
        'POST',
        `/api/pages.json?api_key=${key}&page%5Bname%5D=Page+${number}`,
      );
      assert.equal(created.status, 200, created.text);
      assert.ok((await list()).includes(name), name);
      assert.equal((await visit(program, pathOf(number))).status, 200);
      const { text } = await program.service.request('GET', `/api/pages.json?since=1&api_key=${key}`);
      assert.ok(text.includes(`"${name}"`) || text.includes('not known'), text);
    }
    const { replica, primary } = await snapshots(program);
    assert.equal(replica, 0);
    assert.ok(primary > 2 * numbers.length, `${primary}`);
    assert.deepEqual(warnings(program), []);
  });

  await t.test('a replica that has caught up is read', async () => {
    await servers.delay('0');
    await servers.caughtUp();
    // A new process has nothing in its caches, so it reads everything.
    await program.stop();
    const restarted = await start(t, servers);
    const { text } = await restarted.service.request('GET', `/api/pages.json?api_key=${key}`);
    for (const number of numbers) assert.ok(text.includes(`"Page ${number}"`));
    for (const number of numbers) assert.equal((await visit(restarted, pathOf(number))).status, 200);
    assert.deepEqual(await snapshots(restarted), { replica: numbers.length + 1, primary: 0 });
  });

  await t.test('the primary is read when the replica is gone', async () => {
    const third = await start(t, servers);
    await servers.stopStandby();
    const { status } = await third.service.request('GET', `/api/pages.json?api_key=${key}`);
    assert.equal(status, 200);
    assert.equal((await visit(third, pathOf(1))).status, 200);
    assert.deepEqual(await snapshots(third), { replica: 0, primary: 2 });
    assert.deepEqual(warnings(third), [40]);
  });
});

const pathOf = (number: number) => (number === 0 ? '/' : `/page-${number}`);

async function start(t: TestContext, { url, standbyUrl }: { url: string; standbyUrl: string }): Promise<Program> {
  const { dataDir } = await makeEmptyDatabase(t, 'sqlite');
  const database = { dataDir, databaseUrl: url, databasePool: 4 };
  return startProgram(t, database, { DATABASE_REPLICA_URL: standbyUrl, DATABASE_POOL: '4' });
}

/** Returns the levels of the log lines about the replica. */
const warnings = ({ log }: Program) => log.filter(({ msg }) => msg.includes('replica')).map(({ level }) => level);

async function visit({ port }: Program, path: string) {
  const sent = request({ host: '127.0.0.1', port, path, headers: { Host: 'agency.localhost' } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

/** Returns how many snapshots were read from each server. */
async function snapshots({ service }: Program) {
  const { text } = await service.request('GET', '/metrics');
  const of = (server: string) =>
    Number(new RegExp(`freehold_snapshots_total{server="${server}"} (\\d+)`).exec(text)![1]);
  return { replica: of('replica'), primary: of('primary') };
}
