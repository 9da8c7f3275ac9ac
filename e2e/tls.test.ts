import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { makeCertificate } from '../test/certificate.ts';
import { makeMigratedDatabase } from '../test/databases.ts';
import { type Program, startProgram } from './program.ts';

const inTheClear = {
  response: false,
  errors: 'HTTPS is required. The API key of this request was sent in the clear: replace it.',
};

for (const WORKERS of ['1', '2']) {
  test(`the service serves HTTPS, with a renewed certificate after a reload, and not with a broken one (${WORKERS} processes)`, async (t) => {
    const {
      program,
      cert: first,
      keyFile,
      renew,
    } = await startWithCertificate(t, {
      WORKERS,
      STOP_TIMEOUT: '600000',
      PUBLIC_URL: 'https://api.example.com',
    });
    const { key, port } = program;
    const agent = new Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    const get = async (path: string, ca: string, options: RequestOptions = { agent: false }) => {
      const request = httpsRequest({ port, host: '127.0.0.1', servername: 'localhost', ca, path, ...options });
      request.end();
      const [response] = await once(request, 'response');
      return { status: response.statusCode, headers: response.headers, body: await text(response) };
    };
    const statusFor = async (ca: string, options?: RequestOptions) =>
      (await get(`/api/account.json?api_key=${key}`, ca, options)).status;
    const reload = async (word: string) => {
      const count = program.out.split(word).length;
      program.signal('SIGHUP');
      await program.until(({ out }) => out.split(word).length > count);
    };
    const account = await get(`/api/account.json?api_key=${key}`, first, { agent });
    assert.equal(account.status, 200, account.body);
    assert.match(account.headers['strict-transport-security'] ?? '', /^max-age=\d{8}$/);
    assert.equal((await get('/healthz', first)).status, 200);
    const second = await renew();
    assert.equal(await statusFor(first), 200, 'the new certificate is not loaded before the reload');
    await reload('"msg":"reloaded"');
    assert.equal(await statusFor(second), 200);
    await assert.rejects(statusFor(first), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    if (WORKERS === '1') assert.equal(await statusFor(first, { agent }), 200, 'an open connection stays usable');

    await writeFile(keyFile, 'not a key');
    await reload('"msg":"could not reload; the service continues as before"');
    assert.equal(await statusFor(second), 200);
    // Stops at once: the client that did not trust the certificate has left no connection open.
    assert.deepEqual(await program.stop(), { code: 0, signal: null });
  });
}

test('clients that do not speak TLS cannot disturb the HTTPS port', async (t) => {
  const { program } = await startWithCertificate(t, { STOP_TIMEOUT: '100' });
  assert.match(program.out, new RegExp(`curl .* https://localhost:${program.port}/api/pages.json`));
  for (const bytes of [`GET / HTTP/1.1\r\nHost: x\r\n\r\n`, '\x16\x03\x01\x00', '\0'.repeat(2000)]) {
    const socket = connect(program.port, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    socket.resume();
    socket.write(bytes, 'latin1');
    // The second one may still become TLS, so it is not closed.
    if (bytes.length > 100 || bytes.startsWith('GET')) await once(socket, 'close');
  }
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
});

test('an API call over plain HTTP is refused, not redirected, if the public address is HTTPS', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const program = await startProgram(t, database, { PUBLIC_URL: 'https://api.example.com' });
  const { key, service } = program;
  const claims = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.1', Forwarded: 'proto=https' };
  // No proxy is trusted, so these headers do not count.
  for (const headers of [{}, claims]) {
    const reply = await service.get('/api/account.json', key, headers);
    assert.deepEqual(reply.outcome, [403, inTheClear]);
    assert.equal(reply.headers.location, undefined);
    assert.equal(reply.headers['strict-transport-security'], undefined);
    assert.deepEqual((await service.createPage(key, { name: 'x' }, headers)).outcome, [403, inTheClear]);
  }
  await program.until(({ out }) => out.includes('"status":403'));
  assert.doesNotMatch(program.out, /192\.0\.2\.1/);
});

test('a trusted proxy tells the protocol and the address of the client', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const settings = { PUBLIC_URL: 'https://api.example.com', TRUST_PROXY: 'loopback, 10.0.0.0/8' };
  const program = await startProgram(t, database, settings);
  const { key, service } = program;
  const statusOf = async (headers: Record<string, string>) =>
    (await service.get('/api/account.json', key, headers)).status;
  assert.equal(await statusOf({ 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '203.0.113.9, 10.1.2.3' }), 200);
  assert.equal(await statusOf({ 'X-Forwarded-Proto': 'http' }), 403);
  assert.equal(await statusOf({ 'X-Forwarded-Proto': 'https, http' }), 403);
  assert.equal(await statusOf({}), 403);
  // The client may claim the first address. The last one that is not a proxy's is the real one.
  await statusOf({ 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '198.51.100.7, 203.0.113.10' });
  await program.until(({ out }) => out.includes('"ip":"203.0.113.10"'));
  assert.match(program.out, /"ip":"203\.0\.113\.9"/);
  assert.doesNotMatch(program.out, /"ip":"198\.51\.100\.7"/);
});

async function startWithCertificate(
  t: TestContext,
  environment: Record<string, string> = {},
): Promise<{ program: Program; cert: string; keyFile: string; renew: () => Promise<string> }> {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const files = { TLS_CERT: join(database.dataDir, 'cert.pem'), TLS_KEY: join(database.dataDir, 'key.pem') };
  const renew = async () => {
    const { cert, key } = makeCertificate();
    await writeFile(files.TLS_CERT, cert);
    await writeFile(files.TLS_KEY, key);
    return cert;
  };
  const cert = await renew();
  const program = await startProgram(t, database, { ...files, ...environment });
  return { program, cert, keyFile: files.TLS_KEY, renew };
}
