import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beforeClosing, onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { untilWaiting } from '../../test/overlap.ts';
import { signedInAs } from '../../test/person.ts';
import { startWithAccount } from '../../test/service.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { ConnectionTurns, type ConnectionUse, takeTurnsAs, takeTurnsForAll } from './connection-turns.ts';
import { openDatabase } from './open-database.ts';

onEachDatabase('requests of an account that wait for its lock', (open, kind) => {
  test('leave connections to those that read, to other accounts, to strangers and to creations of pages', async (t) => {
    const { service, database, db, accountId, key } = await startWithAccount(t, open);
    const other = await makeAccount(db);
    const person = await signedInAs(service, db, accountId);
    const elsewhere = kind === 'sqlite' ? db : await openDatabase(database.config);
    if (elsewhere !== db) beforeClosing(t, () => elsewhere.destroy());
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lock = elsewhere.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    // Three times the connections of the pool.
    const waiting = Array.from({ length: 30 }, (_, index) => person.patch('you', { name: `Name ${index}` }));
    try {
      await untilWaiting(elsewhere, 3, Promise.race(waiting));
      for (let count = 0; count < 5; count++)
        for (const each of [key, other.key]) assert.equal((await service.get('/api/pages.json', each)).status, 200);
      assert.equal((await service.request('GET', '/readyz', { headers: { Host: 'localhost' } })).status, 200);
      if (kind === 'postgres') assert.equal((await service.createPage(other.key, { name: 'Meanwhile' })).status, 200);
    } finally {
      release.resolve();
    }
    await lock;
    assert.deepEqual(new Set((await Promise.all(waiting)).map(({ status }) => status)), new Set([204]));
  });
});

test('a key holds at most a third of the connections, one of them to read, and work without a key all of them', async () => {
  const turns = new ConnectionTurns(9);
  const taken: string[] = [];
  const take = (name: string, use: ConnectionUse) => async () => {
    const giveBack = await turns.take(use);
    taken.push(name);
    return giveBack;
  };
  const first = takeTurnsAs(1, take('first', 'write'));
  const second = takeTurnsAs(1, take('second', 'write'));
  const third = takeTurnsAs(1, take('third', 'write'));
  const [giveBack] = await Promise.all([first, second, takeTurnsAs(2, take('other', 'write'))]);
  await takeTurnsAs(1, take('reading', 'read'));
  for (let count = 0; count < 5; count++) await takeTurnsAs(1, () => takeTurnsForAll(take('for all', 'read')));
  assert.deepEqual(taken, ['first', 'second', 'other', 'reading', ...Array(5).fill('for all')]);
  giveBack();
  await third;
  assert.equal(taken.at(-1), 'third');
});

test('writing leaves a third of the connections to reading, and one that is given back goes to those who wait', async () => {
  const turns = new ConnectionTurns(6);
  const writing = await Promise.all(Array.from({ length: 4 }, () => turns.take('write')));
  let isTaken = false;
  const fifth = turns.take('write').then((giveBack) => {
    isTaken = true;
    return giveBack;
  });
  const reading = await Promise.all([turns.take('read'), turns.take('read')]);
  assert.equal(isTaken, false);
  writing[0]!();
  for (const giveBack of [await fifth, ...writing.slice(1), ...reading]) giveBack();
  await Promise.all(Array.from({ length: 4 }, () => turns.take('read')));
});

test('those who wait for a turn can be refused, by what they wait for', async () => {
  const turns = new ConnectionTurns(2);
  const giveBack = await turns.take('write');
  const refused = turns.take('write');
  turns.refuseWaiting('read', new Error('not these'));
  turns.refuseWaiting('write', new Error('these'));
  await assert.rejects(refused, /^Error: these$/);
  giveBack();
  await turns.take('write');
});
