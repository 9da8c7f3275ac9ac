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

onEachDatabase('connections shared by accounts', (open, kind) => {
  test('requests waiting for their account’s lock leave connections to readers, other accounts and health checks', async (t) => {
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
    // Three times as many as the pool has connections.
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

test('a key gets a third of the connections, one of them only for reading; work without a key may use all', async () => {
  const turns = new ConnectionTurns(9);
  const taken: string[] = [];
  const take = (name: string, use: ConnectionUse) => async () => {
    const release = await turns.take(use);
    taken.push(name);
    return release;
  };
  const first = takeTurnsAs(1, take('first', 'write'));
  const second = takeTurnsAs(1, take('second', 'write'));
  const third = takeTurnsAs(1, take('third', 'write'));
  const [release] = await Promise.all([first, second, takeTurnsAs(2, take('other', 'write'))]);
  await takeTurnsAs(1, take('reading', 'read'));
  for (let count = 0; count < 5; count++) await takeTurnsAs(1, () => takeTurnsForAll(take('for all', 'read')));
  assert.deepEqual(taken, ['first', 'second', 'other', 'reading', ...Array(5).fill('for all')]);
  release();
  await third;
  assert.equal(taken.at(-1), 'third');
});

test('writes leave a third of the connections to reads, and a released connection goes to a waiting query', async () => {
  const turns = new ConnectionTurns(6);
  const writing = await Promise.all(Array.from({ length: 4 }, () => turns.take('write')));
  let isTaken = false;
  const fifth = turns.take('write').then((release) => {
    isTaken = true;
    return release;
  });
  const reading = await Promise.all([turns.take('read'), turns.take('read')]);
  assert.equal(isTaken, false);
  writing[0]!();
  for (const release of [await fifth, ...writing.slice(1), ...reading]) release();
  await Promise.all(Array.from({ length: 4 }, () => turns.take('read')));
});

test('queries that wait for a connection can be refused by their use, read or write', async () => {
  const turns = new ConnectionTurns(2);
  const release = await turns.take('write');
  const refused = turns.take('write');
  turns.refuseWaiting('read', new Error('not these'));
  turns.refuseWaiting('write', new Error('these'));
  await assert.rejects(refused, /^Error: these$/);
  release();
  await turns.take('write');
});
