import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../test/cli.ts';
import { databases, makeMigratedDatabase } from '../test/databases.ts';
import { visit } from '../test/visit.ts';
import { manyConnections, pagePath, send } from './load.ts';
import { startProgram } from './program.ts';

for (const kind of databases) {
  test(`a change shows on the site at the next request, in every process (${kind})`, async (t) => {
    const database = await makeMigratedDatabase(t, kind);
    const program = await startProgram(t, database, { WORKERS: '2' });
    const { key, port, service } = program;
    const host = 'agency.localhost';
    const agent = manyConnections(t);
    const seen = new Set<string>();
    const bodies = async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => send(agent, port, 'GET', '/', { Host: host })),
      );
      return replies.map(({ status, body }) => `${status} ${body}`);
    };
    for (let count = 1; count <= 5; count++) {
      // Both processes have the page in their caches now.
      for (const body of await bodies()) seen.add(body);
      assert.equal((await send(agent, port, 'POST', pagePath(key, `News ${count}`))).status, 200);
      for (const body of await bodies()) assert.ok(body.includes(`News ${count}</a>`), `News ${count} is missing`);
    }
    assert.equal(seen.size, 5);

    await t.test('a change by a CLI command shows on the site at the next request', async () => {
      assert.equal((await runCli(database, 'site', 'change', 'agency', '--language', 'de')).code, 0);
      for (const body of await bodies()) assert.match(body, /<html lang="de"/);
      await runCli(database, 'account', 'subdomain', 'agency', 'elsewhere');
      for (const body of await bodies()) assert.match(body, /^404 .*There is no website here/s);
      assert.equal((await visit(service, 'elsewhere.localhost', '/')).status, 200);
    });
  });
}
