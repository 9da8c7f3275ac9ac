import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { startDnsServer } from '../../test/dns-server.ts';
import { AppError } from '../errors.ts';
import { fetchFile } from './fetch-file.ts';

const settings = { dnsServers: [], allowsPrivateNetworks: true, limit: 1000 };

test('a file is fetched under the name in its URL, after redirects', async (t) => {
  const origin = await serve(t, ({ url }, response) => {
    if (url === '/old') response.writeHead(301, { Location: '/a%20loaf.jpg?size=2' }).end();
    else response.end('the file');
  });
  const { source, name } = await fetchFile(`${origin}/old`, settings);
  assert.deepEqual([(await buffer(source)).toString(), name], ['the file', '/a loaf.jpg']);
});

test('a URL that leads to no file on the web is refused with the reason', async (t) => {
  const origin = await serve(t, ({ url }, response) => {
    if (url === '/loop') response.writeHead(302, { Location: '/loop' }).end();
    else if (url === '/script') response.writeHead(302, { Location: 'javascript:alert(1)' }).end();
    else if (url === '/file') response.writeHead(302, { Location: 'file:///etc/passwd' }).end();
    else if (url === '/closed') response.destroy();
    else response.writeHead(404).end();
  });
  for (const [address, message] of [
    ['', /must begin with http/],
    ['file:///etc/passwd', /must begin with http/],
    [`http://user:secret@${new URL(origin).host}/`, /must begin with http/],
    [`${origin}/${'a'.repeat(3000)}`, /must begin with http/],
    [`${origin}/script`, /must begin with http/],
    [`${origin}/file`, /must begin with http/],
    [`${origin}/loop`, /redirects too many times/],
    [`${origin}/missing`, /status 404/],
    [`${origin}/closed`, /cannot be reached/],
  ] as const) {
    await assert.rejects(fetchFile(address, settings), (error: unknown) => {
      assert.ok(error instanceof AppError && error.code === 'invalid', String(error));
      assert.match(error.message, message, address);
      return true;
    });
  }
});

test('no file is fetched from a private network, however its address is written', async (t) => {
  const origin = await serve(t, (_, response) => response.end('secret'));
  const closed = { ...settings, allowsPrivateNetworks: false };
  const { port } = new URL(origin);
  for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]']) {
    await assert.rejects(fetchFile(`http://${host}:${port}/`, closed), { message: /private network/ }, host);
  }
});

test('a host name that does not exist is explained in the error', async (t) => {
  const { address } = await startDnsServer(t);
  await assert.rejects(
    fetchFile('https://old.example/a.jpg', { ...settings, allowsPrivateNetworks: false, dnsServers: [address] }),
    {
      message: 'The address cannot be reached: no server has its host name.',
    },
  );
});

test('a file that is too large is not read further than its limit', async (t) => {
  let isClosed: Promise<unknown> | undefined;
  const origin = await serve(t, ({ url }, response) => {
    if (url === '/said') response.writeHead(200, { 'Content-Length': 1001 });
    isClosed = once(response, 'close');
    const go = () => response.destroyed || response.write('x'.repeat(100), () => setImmediate(go));
    go();
  });
  for (const path of ['/said', '/endless']) {
    const { source } = await fetchFile(origin + path, settings);
    await assert.rejects(buffer(source), { code: 'too_large' }, path);
    await isClosed;
  }
});

test('a file whose server closes the connection early is refused', async (t) => {
  const origin = await serve(t, (_, response) => {
    response.writeHead(200, { 'Content-Length': 500 }).write('half', () => response.destroy());
  });
  const { source } = await fetchFile(origin, settings);
  await assert.rejects(buffer(source), { code: 'invalid', message: /cannot be reached/ });
});

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
