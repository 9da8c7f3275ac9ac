import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { cacheUntilWrite } from './change-cache.ts';
import { openDatabase } from './open-database.ts';

onEachDatabase('values cached until the database changes', (open, kind) => {
  test('is read once while nothing changes, if the database can tell', async (t) => {
    const { db } = await open(t);
    const { find, found } = counting(db);
    assert.equal(await find('a'), 1);
    assert.equal(await find('a'), kind === 'sqlite' ? 1 : 2);
    assert.equal(await find('nothing'), undefined);
    assert.equal(await find('nothing'), undefined);
    assert.equal(found.filter((key) => key === 'nothing').length, 2, 'what there is none of is not remembered');
  });

  test('is found anew after every commit, of this process or another', async (t) => {
    const { db, config } = await open(t);
    const { find } = counting(db);
    const before = await find('a');
    await makeAccount(db);
    const afterOurs = await find('a');
    assert.notEqual(afterOurs, before);
    const other = await openDatabase(config);
    await makeAccount(other);
    await other.destroy();
    assert.notEqual(await find('a'), afterOurs);
  });

  test('is found anew when a change came while it was being found', async (t) => {
    const { db } = await open(t);
    let changing = true;
    const { find } = counting(db, async () => {
      if (changing) await makeAccount(db);
      changing = false;
    });
    const during = await find('a');
    assert.notEqual(await find('a'), during);
  });

  test('is found anew when time has ended it', async (t) => {
    const { db } = await open(t);
    let isRight = true;
    let found = 0;
    const find = cacheUntilWrite(
      db,
      async () => {
        found += 1;
        return found;
      },
      () => isRight,
    );
    await find('a');
    isRight = false;
    assert.equal(await find('a'), 2);
  });
});

/** Finds how often it has been asked for anything. */
function counting(db: Parameters<typeof cacheUntilWrite>[0], meanwhile: () => Promise<void> = async () => {}) {
  const found: string[] = [];
  const find = cacheUntilWrite(db, async (key) => {
    const count = found.push(key);
    await meanwhile();
    return key === 'nothing' ? undefined : count;
  });
  return { find, found };
}
