import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Db } from '../src/db/database.ts';
import { type Lifetime, openTestDatabase } from '../test/databases.ts';
import { makeAccount } from '../test/factories.ts';
import { type Program, startProgram } from './program.ts';
import { openRaw, type RawAnswer } from './raw.ts';

const MEGABYTE = 1024 * 1024;

/** Starts one program for all tests; each makes an account of its own. */
async function start(t: Lifetime): Promise<{ db: Db; program: Program }> {
  const { db, config } = await openTestDatabase(t, 'sqlite');
  return { db, program: await startProgram(t, config) };
}

suite('ambiguous and invalid HTTP', () => {
  const closings: Array<() => unknown> = [];
  let db: Db;
  let program: Program;
  before(async () => {
    ({ db, program } = await start({ after: (close) => void closings.push(close as () => unknown) }));
  });
  after(async () => {
    for (const close of closings) await close();
  });

  test('requests that two parsers could read differently are refused with a JSON error, and the service goes on', async (t) => {
    const { key } = await makeAccount(db);
    const get = (path = `/api/account.json?api_key=${key}`) => `GET ${path} HTTP/1.1\r\n`;
    const post = `POST /api/pages.json?api_key=${key} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
    const refused: Record<string, string> = {
      'two Host lines': `${get()}Host: x\r\nHost: x\r\n\r\n`,
      'two Host lines that differ': `${get()}Host: x\r\nHost: y\r\n\r\n`,
      'no Host': `${get()}\r\n`,
      'Content-Length twice': `${post}Content-Length: 12\r\nContent-Length: 12\r\n\r\npage[name]=x`,
      'two lengths': `${post}Content-Length: 12\r\nContent-Length: 3\r\n\r\npage[name]=x`,
      'a list of lengths': `${post}Content-Length: 12, 12\r\n\r\npage[name]=x`,
      'a length that is none': `${post}Content-Length: 0x0c\r\n\r\npage[name]=x`,
      'a signed length': `${post}Content-Length: +12\r\n\r\npage[name]=x`,
      'length and chunks': `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'chunks not last': `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
      'chunks twice': `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'an unknown transfer encoding': `${post}Transfer-Encoding: gzip\r\n\r\n`,
      'a chunk without a size': `${post}Transfer-Encoding: chunked\r\n\r\nx\r\npage[name]=x\r\n0\r\n\r\n`,
      'a chunk longer than it says': `${post}Transfer-Encoding: chunked\r\n\r\n2\r\npage[name]=x\r\n0\r\n\r\n`,
      'a folded header': `${get()}Host: x\r\nX-Long: a\r\n b\r\n\r\n`,
      'a space before the colon': `${get()}Host : x\r\n\r\n`,
      'a header without a name': `${get()}Host: x\r\n: y\r\n\r\n`,
      'bare line feeds': `${get().replace('\r', '')}Host: x\n\n`,
      'a bare carriage return': `${get()}Host: x\r\nX-A: b\rX-C: d\r\n\r\n`,
      'a NUL in a header': `${get()}Host: x\r\nX-A: b\0c\r\n\r\n`,
      'a space in the target': `${get('/api/account json')}Host: x\r\n\r\n`,
      'a method nobody knows': `BREW /api/account.json HTTP/1.1\r\nHost: x\r\n\r\n`,
      'HTTP/2 in the clear': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'an unknown version': `GET / HTTP/3.7\r\nHost: x\r\n\r\n`,
      'no HTTP at all': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n',
    };
    for (const [what, bytes] of Object.entries(refused)) {
      const connection = await openRaw(t, program.port);
      await connection.write(bytes);
      const answer = await connection.answer().catch((error) => assert.fail(`${what}: ${error.message}`));
      assert.equal(answer.status, 400, what);
      assertFailure(answer, what);
      // Bytes after the request must not be parsed as another request.
      if (what !== 'no Host' && !what.startsWith('two Host')) {
        await connection.closed();
        assert.equal(connection.error, undefined, what);
      }
      connection.socket.destroy();
    }
    assert.deepEqual(await program.service.pages(key), []);
  });

  test('unusual but unambiguous requests are served', async (t) => {
    const { key } = await makeAccount(db);
    const account = `/api/account.json?api_key=${key}`;
    const form = 'Content-Type: application/x-www-form-urlencoded';
    const served: Record<string, [bytes: string, status: number]> = {
      'the absolute form': [`GET http://x${account} HTTP/1.1\r\nHost: x\r\n\r\n`, 200],
      'an empty line before it': [`\r\nGET ${account} HTTP/1.1\r\nHost: x\r\n\r\n`, 200],
      'HTTP/1.0 without Host': [`GET ${account} HTTP/1.0\r\n\r\n`, 200],
      'HTTP/1.0 that stays': [`GET ${account} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`, 200],
      'an empty Host': [`GET ${account} HTTP/1.1\r\nHost:\r\n\r\n`, 200],
      'an offered upgrade': [
        `GET ${account} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n`,
        200,
      ],
      'a web socket': [
        `GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
        404,
      ],
      'an expectation nobody knows': [
        `POST /api/pages.json?api_key=${key}&page[name]=Expected HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\n\r\n`,
        417,
      ],
      'OPTIONS *': ['OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 404],
      'chunks with extensions and trailers': [
        `POST /api/pages.json?api_key=${key} HTTP/1.1\r\nHost: x\r\n${form}\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n` +
          '5;a=b\r\npage[\r\n7\r\nname]=x\r\n0\r\nX-Sum: 1\r\n\r\n',
        200,
      ],
      TRACE: ['TRACE /api/account.json HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    };
    for (const [what, [bytes, status]] of Object.entries(served)) {
      const connection = await openRaw(t, program.port);
      await connection.write(bytes);
      const answer = await connection.answer().catch((error) => assert.fail(`${what}: ${error.message}`));
      assert.equal(answer.status, status, `${what}: ${answer.body}`);
      JSON.parse(answer.body);
      connection.socket.destroy();
    }
  });

  test('a client that resets its connection after CONNECT ends only that connection', async (t) => {
    for (let count = 0; count < 20; count++) {
      const connection = await openRaw(t, program.port);
      await connection.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
      if (count % 2 === 0) await connection.answer();
      connection.socket.resetAndDestroy();
    }
    assert.equal((await program.service.request('GET', '/healthz')).status, 200);
  });

  test('CONNECT is refused at once, and its connection closed', async (t) => {
    const connection = await openRaw(t, program.port);
    await connection.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
    const answer = await connection.answer();
    assert.equal(answer.status, 405);
    assertFailure(answer);
    await connection.closed();
  });

  test('HEAD returns the status and headers of GET, without a body', async (t) => {
    const { key } = await makeAccount(db);
    const connection = await openRaw(t, program.port);
    const request = (method: string) => `${method} /api/account.json?api_key=${key} HTTP/1.1\r\nHost: x\r\n\r\n`;
    await connection.write(request('HEAD'));
    const head = await connection.answer({ head: true });
    const other = await openRaw(t, program.port);
    await other.write(request('GET'));
    const { status, headers } = await other.answer();
    const { date: _, 'x-request-id': __, ratelimit: ___, ...same } = headers;
    const { date: ____, 'x-request-id': _____, ratelimit: ______, ...ofHead } = head.headers;
    assert.deepEqual([head.status, ofHead], [status, same]);
    // The next response starts right after the headers.
    await connection.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await connection.answers(2, { head: true });
    assert.match(connection.received, /\r\n\r\nHTTP\/1\.1 200 /);
  });

  test('pipelined requests are answered in their order', async (t) => {
    const { key } = await makeAccount(db);
    const connection = await openRaw(t, program.port);
    const requests = Array.from({ length: 60 }, (_, index) =>
      index % 3 === 0
        ? `POST /api/pages.json?api_key=${key}&page[name]=${index} HTTP/1.1\r\nHost: x\r\nX-Request-Id: r${index}\r\nContent-Length: 0\r\n\r\n`
        : `GET ${index % 3 === 1 ? `/api/pages.json?api_key=${key}` : '/nowhere'} HTTP/1.1\r\nHost: x\r\nX-Request-Id: r${index}\r\n\r\n`,
    );
    await connection.write(requests.join(''));
    const answers = await connection.answers(requests.length);
    assert.deepEqual(
      answers.map(({ headers, status }) => [headers['x-request-id'], status]),
      requests.map((_, index) => [`r${index}`, index % 3 === 2 ? 404 : 200]),
    );
    assert.equal((await program.service.pages(key)).length, 20);
  });

  test('a client that sends “Expect: 100-continue” is told to send the body', async (t) => {
    const { key } = await makeAccount(db);
    const connection = await openRaw(t, program.port);
    await connection.write(
      `POST /api/pages.json?api_key=${key} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n` +
        'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\n\r\n',
    );
    assert.equal((await connection.answer()).status, 100);
    await connection.write('page[name]=x');
    const [, answer] = await connection.answers(2);
    assert.deepEqual([answer!.status, answer!.body], [200, '{"response":true,"errors":[]}']);
  });

  test('a URL that is too long is refused, and the client can read the refusal after sending all of it', async (t) => {
    const { key } = await makeAccount(db);
    for (const [size, status] of [
      [32 * 1024, 414],
      [MEGABYTE + 100, 414],
      [5 * MEGABYTE, 431],
    ] as const) {
      const connection = await openRaw(t, program.port);
      const target = `/api/pages.json?api_key=${key}&page[body]=${'x'.repeat(size)}`;
      await sendAll(connection, Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`));
      const answer = await connection.answer();
      assert.equal(answer.status, status);
      assertFailure(answer);
      await connection.closed();
      assert.equal(connection.error, undefined);
    }
  });

  test('headers that are too long are refused, and the client can read the refusal after sending all of them', async (t) => {
    // Shorter and longer than a URL may be.
    for (const size of [100 * 1024, 5 * MEGABYTE]) {
      const connection = await openRaw(t, program.port);
      await sendAll(connection, Buffer.from(`GET /healthz HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(size)}\r\n\r\n`));
      const answer = await connection.answer();
      assert.equal(answer.status, 431);
      assertFailure(answer);
    }
  });

  // The connection is closed, whether or not the client would keep it, and whether or not the key is valid.
  for (const [how, headers] of [
    ['with a Content-Length', `Content-Length: ${21 * MEGABYTE}\r\n`],
    ['with a Content-Length and “Connection: close”', `Content-Length: ${21 * MEGABYTE}\r\nConnection: close\r\n`],
    ['in chunks', 'Transfer-Encoding: chunked\r\n'],
    ['in chunks, on the last request', 'Transfer-Encoding: chunked\r\nConnection: close\r\n'],
  ] as const) {
    test(`a body that is too large, ${how}, is refused, which the client can read after sending all of it`, async (t) => {
      const { key } = await makeAccount(db);
      for (const [apiKey, status] of [
        [key, 413],
        ['wrong', 401],
      ] as const) {
        const connection = await openRaw(t, program.port);
        const start = `POST /api/pages.json?api_key=${apiKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n`;
        const part = Buffer.alloc(MEGABYTE, 'x');
        const chunk = Buffer.concat([Buffer.from('100000\r\n'), part, Buffer.from('\r\n')]);
        const chunked = headers.includes('chunked');
        const body = Buffer.concat(Array<Buffer>(21).fill(chunked ? chunk : part));
        const bytes = Buffer.concat([Buffer.from(start), body, Buffer.from(chunked ? '0\r\n\r\n' : '')]);
        await sendAll(connection, bytes);
        const answer = await connection.answer();
        assert.equal(answer.status, status);
        assertFailure(answer);
        assert.equal(answer.headers.connection, 'close');
        await connection.closed();
        assert.equal(connection.error, undefined);
      }
    });
  }
});

/** Writes everything before reading anything, as a simple client does. */
async function sendAll(connection: Awaited<ReturnType<typeof openRaw>>, bytes: Buffer): Promise<void> {
  connection.socket.pause();
  try {
    await connection.write(bytes);
  } finally {
    connection.socket.resume();
  }
}

function assertFailure({ headers, body }: RawAnswer, what = 'the answer'): void {
  assert.match(headers['content-type'] ?? '', /^application\/json/, what);
  const { response, errors } = JSON.parse(body);
  assert.equal(response, false, what);
  assert.equal(typeof errors, 'string', what);
}
