import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../src/db/open-database.ts';
import { makeMigratedDatabase } from '../test/databases.ts';
import { manyConnections, pagePath, send } from './load.ts';
import { eventually, startProgram } from './program.ts';

/** Ways to lose the database files. Each returns the folder that contains all of them afterwards, if there is one. */
const losses: Readonly<Record<string, (dataDir: string) => Promise<string | undefined>>> = {
  'database files are moved away': async (dataDir) => {
    const folder = join(dataDir, 'elsewhere');
    await mkdir(folder);
    const names = (await readdir(dataDir)).filter((name) => name.startsWith('freehold.db'));
    for (const name of names.toSorted()) await rename(join(dataDir, name), join(folder, name));
    return folder;
  },
  'database file is removed': async (dataDir) => {
    await rm(join(dataDir, 'freehold.db'));
    return undefined;
  },
  'database file is replaced by a copy': async (dataDir) => {
    await copyFile(join(dataDir, 'freehold.db'), join(dataDir, 'copy'));
    await rename(join(dataDir, 'copy'), join(dataDir, 'freehold.db'));
    return undefined;
  },
  'write-ahead log is removed': async (dataDir) => {
    await rm(join(dataDir, 'freehold.db-wal'));
    return undefined;
  },
};

for (const [what, loseFiles] of Object.entries(losses)) {
  for (const WORKERS of what === 'database files are moved away' ? ['1', '2'] : ['1']) {
    test(`a service whose ${what} ends, logs why and acknowledges nothing more (${WORKERS} processes)`, async (t) => {
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
      const folder = await loseFiles(database.dataDir);
      isDone = true;
      assert.deepEqual(await program.ended, { code: 3, signal: null });
      await clients;
      assert.deepEqual(tooLate, []);
      const fatal = program.log.find(({ level }) => level === 60);
      assert.match(fatal?.msg ?? '', /moved, removed or replaced while the service was running/);
      assert.match(
        String(fatal?.reason),
        /freehold\.db(-wal|-shm)? was (removed or moved away|replaced by another file)$/,
      );
      if (folder === undefined) return;
      const moved = await openDatabase({ ...database, dataDir: folder });
      const pages = await moved.selectFrom('pages').select('name').execute();
      await moved.destroy();
      const names = new Set(pages.map(({ name }) => name));
      for (const name of acknowledged) assert.ok(names.has(name), `${name} is lost`);
    });
  }
}

test('a service without requests ends as well when its database file is moved away', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const program = await startProgram(t, database);
  await rename(join(database.dataDir, 'freehold.db'), join(database.dataDir, 'elsewhere.db'));
  assert.deepEqual(await program.ended, { code: 3, signal: null });
});
