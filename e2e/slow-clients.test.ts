import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../test/databases.ts';
import { makeAccount, makePage } from '../test/factories.ts';
import { pagePath } from './load.ts';
import { startProgram } from './program.ts';
import { openRaw, type RawConnection } from './raw.ts';

const SLOW = 100;

test('hundreds of slow clients do not block other requests, and are disconnected after the timeout', async (t) => {
  const { db, config } = await openTestDatabase(t, 'sqlite');
  const { accountId, userId, key } = await makeAccount(db);
  const reader = await makeAccount(db);
  for (let count = 0; count < 8; count++) await makePage(db, accountId, { userId, body: 'x'.repeat(900_000) });
  const program = await startProgram(t, config, { REQUEST_TIMEOUT: '2000', RATE_LIMIT: '0' });
  const { service, port } = program;

  const inHeaders = await openMany(t, port, 'GET /api/account.json HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  const inBodies = await openMany(
    t,
    port,
    `POST /api/pages.json?api_key=${key} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  );
  // These clients request some megabytes, and read no more than fits into the buffers of the connection.
  const readers = await openMany(t, port, '');
  for (const connection of readers) {
    connection.socket.pause();
    await connection.write(`GET /api/pages.json?api_key=${key} HTTP/1.1\r\nHost: x\r\n\r\n`);
  }
  // Each slow client sends a byte after each response to another one, so that it is never completely silent.
  const slow = [...inHeaders, ...inBodies];
  for (let count = 0; count < 20; count++) {
    for (const connection of slow) if (connection.received === '') connection.socket.write('x');
    for (const connection of readers) connection.socket.read(1);
    assert.equal((await service.get('/api/account.json', reader.key)).status, 200);
    assert.equal((await service.request('POST', pagePath(reader.key, `Page ${count}`))).status, 200);
    assert.equal((await service.get('/api/pages.json', reader.key)).status, 200);
    assert.equal((await service.get('/api/pages.json', key)).status, 200);
  }

  for (const connection of slow) {
    const answer = await connection.answer();
    assert.equal(answer.status, 408);
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
    assert.match(answer.headers['x-request-id'] ?? '', /^[\w-]{5,64}$/);
    assert.equal(JSON.parse(answer.body).response, false);
    connection.socket.destroy();
  }
  // A client that reads slowly gets the whole response in the end.
  for (const connection of readers.slice(0, 5)) {
    connection.socket.resume();
    const answer = await connection.answer();
    assert.equal(JSON.parse(answer.body).pages.length, 8);
  }
  for (const connection of readers) connection.socket.destroy();
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
});

test('every worker disconnects slow clients after the timeout', async (t) => {
  const { config } = await openTestDatabase(t, 'sqlite');
  const { port } = await startProgram(t, config, { WORKERS: '2', REQUEST_TIMEOUT: '1000' });
  for (const connection of await openMany(t, port, 'GET /api/account.json HTTP/1.1\r\nHost: x\r\nX-Slow: ')) {
    assert.equal((await connection.answer()).status, 408);
  }
});

function openMany(t: Parameters<typeof openRaw>[0], port: number, bytes: string): Promise<RawConnection[]> {
  return Promise.all(
    Array.from({ length: SLOW }, async () => {
      const connection = await openRaw(t, port);
      // The service may close an unused connection first.
      if (bytes) await connection.write(bytes);
      return connection;
    }),
  );
}
