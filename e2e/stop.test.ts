import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { openDatabase } from '../src/db/open-database.ts';
import { beforeClosing, makeMigratedDatabase } from '../test/databases.ts';
import { openMailbox } from '../test/mailbox.ts';
import { customerPath, manyConnections, pagePath, send } from './load.ts';
import { startProgram } from './program.ts';
import { openRaw } from './raw.ts';

// The database matters for what a process closes, the number of processes for who stops accepting.
for (const [kind, WORKERS] of [
  ['sqlite', '2'],
  ['postgres', '1'],
] as const) {
  test(`accepted requests are answered before the program ends (${kind}, ${WORKERS} processes)`, async (t) => {
    const database = await makeMigratedDatabase(t, kind);
    const program = await startProgram(t, database, { WORKERS, STOP_TIMEOUT: '3600000' });
    const { key, port } = program;
    const agent = manyConnections(t);
    // Requests whose body lacks the last byte, and requests that take long because they hash passwords.
    const slow = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const connection = await openRaw(t, port);
        const body = `page[name]=Slow+${index}`;
        await connection.write(
          `POST /api/pages.json?api_key=${key} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n` +
            `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`,
        );
        assert.equal((await connection.answer()).status, 100, 'the request has been accepted');
        await connection.write(body.slice(0, -1));
        return { connection, last: body.slice(-1) };
      }),
    );
    const silent = await openRaw(t, port);
    const idle = await openRaw(t, port);
    await idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await idle.answer();
    program.signal('SIGTERM');
    program.signal('SIGTERM');
    await program.until(({ out }) => out.split('"stopping: ').length > Number(WORKERS));
    await idle.closed();
    await silent.closed();
    await refused(port);
    await assert.rejects(send(agent, port, 'POST', pagePath(key, 'Too late')));

    for (const { connection, last } of slow) await connection.write(last);
    for (const { connection } of slow) {
      const [, answer] = await connection.answers(2);
      assert.deepEqual([answer!.status, answer!.body], [200, '{"response":true,"errors":[]}']);
      assert.equal(answer!.headers.connection, 'close', 'the response announces that the connection ends');
    }
    assert.deepEqual(await program.ended, { code: 0, signal: null });
    const db = await openDatabase(database);
    beforeClosing(t, () => db.destroy());
    assert.equal((await db.selectFrom('pages').select('id').execute()).length, 10);
  });
}

test('a stop waits for customers whose passwords are being hashed, and their mail is sent after the next start', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const mailbox = await openMailbox(t);
  const program = await startProgram(t, database, { SMTP_URL: mailbox.url, STOP_TIMEOUT: '3600000' });
  const agent = manyConnections(t);
  const { key, port } = program;
  // A half-sent body keeps the program running for the other requests, which arrive before the signal.
  const answers = Array.from({ length: 12 }, (_, index) => send(agent, port, 'POST', customerPath(key, `c${index}`)));
  const halfSent = await openRaw(t, port);
  await halfSent.write(
    `POST /api/pages.json?api_key=${key} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n`,
  );
  await halfSent.answer();
  program.signal('SIGTERM');
  await halfSent.write('x');
  const outcomes = await Promise.allSettled(answers);
  const created = outcomes.filter(({ status }) => status === 'fulfilled').length;
  assert.ok(created > 0);
  assert.deepEqual(await program.ended, { code: 0, signal: null });
  const second = await startProgram(t, database, { SMTP_URL: mailbox.url });
  await mailbox.received(created);
  assert.equal((await second.service.account(key)).free_customers_count, created);
});

test('a client that never finishes its request is disconnected after STOP_TIMEOUT', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const program = await startProgram(t, database, { STOP_TIMEOUT: '100' });
  const connection = await openRaw(t, program.port);
  await connection.write(
    `POST /api/pages.json?api_key=${program.key} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
  );
  await connection.answer();
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
});

/** Resolves once the port refuses connections. */
async function refused(port: number): Promise<void> {
  for (;;) {
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(undefined);
      });
      socket.on('error', resolve);
    });
    if (error?.code === 'ECONNREFUSED') return;
  }
}
