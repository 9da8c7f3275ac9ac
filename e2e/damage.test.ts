import assert from 'node:assert/strict';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../src/db/open-database.ts';
import { makeMigratedDatabase } from '../test/databases.ts';
import { makeAccount, makePage } from '../test/factories.ts';
import { eventually, startProgram } from './program.ts';

for (const WORKERS of ['1', '2']) {
  test(`a service whose query reports damage becomes unready, and still serves what works (${WORKERS} processes)`, async (t) => {
    const database = await makeMigratedDatabase(t, 'sqlite');
    const db = await openDatabase(database);
    const { accountId, userId, key } = await makeAccount(db);
    const body = 'x'.repeat(100_000);
    for (let count = 0; count < 20; count++) await makePage(db, accountId, { userId, body });
    await db.destroy();
    await damageLastThird(join(database.dataDir, 'freehold.db'));

    const program = await startProgram(t, database, { WORKERS });
    const { service } = program;
    assert.equal((await service.request('GET', '/readyz')).status, 200);
    assert.equal((await service.get('/api/pages.json', key)).status, 503);
    await eventually(
      t,
      () => service.request('GET', '/readyz'),
      ({ status }) => status === 503,
    );
    // Every process reports the damage.
    for (let count = 0; count < 8; count++) {
      const ready = await service.request('GET', '/readyz', { headers: { Connection: 'close' } });
      assert.equal(ready.status, 503);
      assert.match(ready.text, /the database reports damage: .*malformed; run doctor/);
    }
    assert.match((await service.request('GET', '/metrics')).text, /^freehold_database_damaged 1$/m);
    assert.equal((await service.get('/api/account.json', key)).status, 200);
    assert.equal((await service.get('/api/pages.json', key)).status, 503);
    assert.equal((await service.request('GET', '/healthz')).status, 200);
    const reports = program.log.filter(({ msg }) => msg.startsWith('the database reports damage'));
    assert.ok(
      reports.length >= 1 && reports.length <= Number(WORKERS),
      'each process that finds the damage logs it once',
    );
    assert.equal(reports[0]!.level, 50);
    assert.match(reports[0]!.msg, /doctor.*restore/);
    assert.deepEqual(await program.stop(), { code: 0, signal: null });
  });
}

/** Overwrites the last third of the file, which contains the bodies of the newest pages. */
async function damageLastThird(file: string): Promise<void> {
  const { size } = await stat(file);
  const start = Math.ceil((size * 2) / 3);
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(size - start, 0xff), 0, size - start, start);
  await handle.close();
}
