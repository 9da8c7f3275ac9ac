import assert from 'node:assert/strict';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../src/db/open-database.ts';
import { makeMigratedDatabase } from '../test/databases.ts';
import { manyConnections, pagePath, send } from './load.ts';
import { eventually, startProgram } from './program.ts';

// src/db/sqlite-files.test.ts tests the other ways to lose files.
for (const WORKERS of ['1', '2']) {
  test(`a service whose database files are moved away ends, logs why and acknowledges nothing more (${WORKERS} processes)`, async (t) => {
    const database = await makeMigratedDatabase(t, 'sqlite');
    const program = await startProgram(t, database, { WORKERS, RATE_LIMIT: '0' });
    const { key, port } = program;
    const agent = manyConnections(t);
    const acknowledged: string[] = [];
    const tooLate: string[] = [];
    let isDone = false;
    const client = async (prefix: number) => {
      for (let count = 0; ; count++) {
        const name = `${prefix}-${count}`;
        const names = isDone ? tooLate : acknowledged;
        const answer = await send(agent, port, 'POST', pagePath(key, name)).catch(() => undefined);
        if (!answer) return;
        if (answer.status === 200) names.push(name);
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, (_, index) => client(index)));
    await eventually(
      t,
      async () => acknowledged.length,
      (count) => count > 50,
    );
    const folder = await moveAway(database.dataDir);
    isDone = true;
    assert.deepEqual(await program.ended, { code: 3, signal: null });
    await clients;
    assert.deepEqual(tooLate, []);
    const fatal = program.log.find(({ level }) => level === 60);
    assert.match(fatal?.msg ?? '', /moved, removed or replaced while the service was running/);
    assert.match(String(fatal?.reason), /freehold\.db(-wal|-shm)? was removed or moved away$/);
    const moved = await openDatabase({ ...database, dataDir: folder });
    const pages = await moved.selectFrom('pages').select('name').execute();
    await moved.destroy();
    const names = new Set(pages.map(({ name }) => name));
    for (const name of acknowledged) assert.ok(names.has(name), `${name} is lost`);
  });
}

test('a service without requests ends as well when its database file is moved away', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const program = await startProgram(t, database);
  await rename(join(database.dataDir, 'freehold.db'), join(database.dataDir, 'elsewhere.db'));
  assert.deepEqual(await program.ended, { code: 3, signal: null });
});

/** Moves the database files to another folder, and returns its path. */
async function moveAway(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'elsewhere');
  await mkdir(folder);
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('freehold.db'));
  for (const name of names.toSorted()) await rename(join(dataDir, name), join(folder, name));
  return folder;
}
