import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { cacheUntilWrite } from './change-cache.ts';
import { openDatabase } from './open-database.ts';

onEachDatabase('values cached until the database changes', (open, kind) => {
  test('a cached value is read once while nothing changes, if the database can detect changes', async (t) => {
    const { db } = await open(t);
    const { find, found } = countingLookup(db);
    assert.equal(await find('a'), 1);
    assert.equal(await find('a'), kind === 'sqlite' ? 1 : 2);
    assert.equal(await find('nothing'), undefined);
    assert.equal(await find('nothing'), undefined);
    assert.equal(found.filter((key) => key === 'nothing').length, 2, 'a missing value is not cached');
  });

  test('a cached value is read again after every commit, of this process or another', async (t) => {
    const { db, config } = await open(t);
    const { find } = countingLookup(db);
    const before = await find('a');
    await makeAccount(db);
    const afterOurs = await find('a');
    assert.notEqual(afterOurs, before);
    const other = await openDatabase(config);
    await makeAccount(other);
    await other.destroy();
    assert.notEqual(await find('a'), afterOurs);
  });

  test('a value is read again if the database changed while it was being read', async (t) => {
    const { db } = await open(t);
    let changing = true;
    const { find } = countingLookup(db, async () => {
      if (changing) await makeAccount(db);
      changing = false;
    });
    const during = await find('a');
    assert.notEqual(await find('a'), during);
  });

  test('a cached value is read again once it is no longer valid', async (t) => {
    const { db } = await open(t);
    let isValid = true;
    let found = 0;
    const find = cacheUntilWrite(
      db,
      async () => {
        found += 1;
        return found;
      },
      () => isValid,
    );
    await find('a');
    isValid = false;
    assert.equal(await find('a'), 2);
  });
});

/** Returns a cached lookup whose value is the number of lookups that reached the database so far. */
function countingLookup(db: Parameters<typeof cacheUntilWrite>[0], meanwhile: () => Promise<void> = async () => {}) {
  const found: string[] = [];
  const find = cacheUntilWrite(db, async (key) => {
    const count = found.push(key);
    await meanwhile();
    return key === 'nothing' ? undefined : count;
  });
  return { find, found };
}
