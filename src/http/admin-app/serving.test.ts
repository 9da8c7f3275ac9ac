import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { type RequestOptions, Service } from '../../../test/service.ts';
import { newTraceId, Trace } from '../../trace.ts';
import type { RequestContext } from '../request-context.ts';
import { respond } from '../respond.ts';
import { adminAppHandler } from './routes.ts';

/** The headers of a visitor who seems to be signed in. */
const signedIn = { headers: { Accept: 'text/html,*/*', Cookie: 'session=token' } };
const html = { headers: { Accept: 'text/html,*/*' } };

test('browsers get the page of the app at every URL that is no file', async (t) => {
  const service = await serveApp(t);
  for (const path of ['/pages/12', '/settings/look', '/sign-in', '/elsewhere']) {
    const reply = await service.request('GET', path, signedIn);
    assert.equal(reply.status, 200, path);
    assert.match(reply.text, /<script type="module"/);
    assert.equal(reply.headers['cache-control'], 'no-cache');
  }
});

test('visitors without a session are redirected to the sign-in page, and / redirects to the first screen', async (t) => {
  const service = await serveApp(t);
  const led = async (path: string, options: RequestOptions) => {
    const { status, headers } = await service.request('GET', path, options);
    return [status, headers.location];
  };
  assert.deepEqual(await led('/', html), [302, '/sign-in']);
  for (const [cookie, screen] of [
    [`session=${sessions.customer}`, '/pages'],
    [`session=${sessions.agency}`, '/overview'],
    [`session=${sessions.agency}; session-as=${'t'.repeat(43)}`, '/pages'],
    [`session=${sessions.agency}; session-as=over`, '/overview'],
    [`session=${sessions.ended}`, '/sign-in'],
    ['session=token', '/sign-in'],
  ] as const) {
    assert.deepEqual(await led('/', { headers: { Accept: 'text/html', Cookie: cookie } }), [302, screen], cookie);
  }
  assert.deepEqual(await led('/overview', html), [302, '/sign-in?then=%2Foverview']);
  assert.deepEqual(await led('/pages/12', html), [302, '/sign-in?then=%2Fpages%2F12']);
  assert.deepEqual(await led('/settings/you?a=b&c', html), [302, '/sign-in?then=%2Fsettings%2Fyou%3Fa%3Db%26c']);
});

test('programs that accept any type get the page at the paths of links in messages, and a redirect at /', async (t) => {
  const service = await serveApp(t);
  for (const Accept of [undefined, '*/*']) {
    const headers = Accept === undefined ? {} : { Accept };
    for (const path of ['/sign-in?account=acme', '/forgotten-password', '/reset-password', '/confirm-email']) {
      const reply = await service.request('GET', path, { headers });
      assert.deepEqual([reply.status, reply.headers['content-type']], [200, 'text/html; charset=utf-8'], path);
    }
    assert.equal((await service.request('HEAD', '/sign-in', { headers })).status, 200);
    assert.equal((await service.request('GET', '/', { headers })).headers.location, '/sign-in');
  }
});

test('requests of other programs, for other surfaces and for missing files do not get the page', async (t) => {
  const service = await serveApp(t);
  const cases: [string, string, RequestOptions][] = [
    ['GET', '/pages', {}],
    ['GET', '/pages', { headers: { Accept: '*/*' } }],
    ['GET', '/sign-in', { headers: { Accept: 'application/json' } }],
    ['POST', '/pages', html],
    ['GET', '/api/pages.json', html],
    ['GET', '/admin/nothing', html],
    ['GET', '/-/app/gone.js', html],
    ['GET', '/../package.json', html],
    ['GET', '/made-from', {}],
  ];
  for (const [method, path, options] of cases) {
    assert.equal((await service.request(method, path, options)).status, 404, `${method} ${path}`);
  }
});

test('the policy allows only scripts of the app, and styles by a nonce that is new in each response', async (t) => {
  const service = await serveApp(t);
  const nonces = new Set<string>();
  for (let count = 0; count < 3; count++) {
    const { headers, text } = await service.request('GET', '/sign-in', html);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /(?:^|; )script-src 'self'(?:;|$)/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.ok(!policy.includes('unsafe'));
    const nonce = /'nonce-([^']+)'/.exec(policy)![1]!;
    assert.ok(text.includes(`nonce="${nonce}"`));
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 3);
});

test('a URL is answered with its prerendered page, if the path is public or the visitor seems signed in', async (t) => {
  const folder = await fill(await makeFolder(t));
  for (const name of [
    'sign-in',
    'confirm-email',
    'pages',
    'pages-ID',
    'pages-ID-revisions',
    'settings',
    'settings-people',
    'templates-ID-pushes-ID',
  ]) {
    const start = '<!doctype html><script>let now</script><link href="/admin/pages/ID">';
    await writeFile(join(folder, `${name}.html`), `${start}<title>${name} é</title>`);
  }
  const service = await serveApp(t, folder);
  const begins = async (path: string, more: Record<string, string> = {}) => {
    const { text, headers } = await service.request('GET', path, { headers: { ...html.headers, ...more } });
    const policy = String(headers['content-security-policy']);
    const isKnown = policy.includes(`script-src 'self' 'sha256-${hash('sha256', 'let now', 'base64')}';`);
    assert.equal(isKnown, text.includes('let now'));
    return /<title>(.*) é/.exec(text)?.[1];
  };
  const cookie = { Cookie: 'a=b; session=token' };
  assert.equal(await begins('/sign-in'), 'sign-in');
  assert.equal(await begins('/confirm-email'), 'confirm-email');
  assert.equal(await begins('/pages', cookie), 'pages');
  assert.equal(await begins('/pages', { Cookie: '__Host-session=token' }), 'pages');
  assert.equal(await begins('/pages/12', cookie), 'pages-ID');
  assert.equal(await begins('/pages/12/revisions', cookie), 'pages-ID-revisions');
  assert.equal(await begins('/pages/12/elsewhere', cookie), undefined);
  assert.equal(await begins('/templates/3/pushes/12', cookie), 'templates-ID-pushes-ID');
  assert.equal(await begins('/settings', cookie), 'settings');
  assert.equal(await begins('/settings/elsewhere', cookie), undefined);
  assert.equal(await begins('/settings/people', cookie), 'settings-people');
  // The last number in the URL completes the URLs of the screen's first requests.
  for (const path of ['/pages/12', '/pages/12/revisions', '/templates/3/pushes/12']) {
    assert.match((await service.request('GET', path, signedIn)).text, /<link href="\/admin\/pages\/12">/);
  }
  const packed = await service.request('GET', '/sign-in', { headers: { ...html.headers, 'Accept-Encoding': 'br' } });
  assert.equal(packed.headers['content-encoding'], 'br');
  assert.match(brotliDecompressSync(packed.bytes).toString(), /sign-in é/);
});

test('links of the sign-in page keep the account in the URL, even before the app has loaded', async (t) => {
  const folder = await fill(await makeFolder(t));
  await writeFile(join(folder, 'sign-in.html'), '<!doctype html><a href="/forgotten-password">é</a>');
  const service = await serveApp(t, folder);
  const link = async (query: string) => {
    const { text } = await service.request('GET', `/sign-in${query}`, html);
    return /<a (.*)>/.exec(text)?.[1];
  };
  assert.equal(await link(''), 'href="/forgotten-password">é</a');
  assert.equal(await link('?account='), 'href="/forgotten-password">é</a');
  assert.equal(await link('?then=%2Fpages&account=acme'), 'href="/forgotten-password?account=acme">é</a');
  assert.equal(
    await link('?account=%22%3E%3Cscript%3E%24%26'),
    'href="/forgotten-password?account=%22%3E%3Cscript%3E%24%26">é</a',
  );
});

test('files are compressed if the client accepts that, and immutable if their name has a hash', async (t) => {
  const service = await serveApp(t);
  const plain = await service.request('GET', '/-/app/main-1.js');
  assert.equal(plain.text, script);
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.match(plain.headers['cache-control']!, /immutable/);
  const packed = await service.request('GET', '/-/app/main-1.js', { headers: { 'Accept-Encoding': 'gzip, br' } });
  assert.equal(packed.headers['content-encoding'], 'br');
  assert.equal(brotliDecompressSync(packed.bytes).toString(), script);
  const refused = await service.request('GET', '/-/app/main-1.js', { headers: { 'Accept-Encoding': 'br;q=0' } });
  assert.equal(refused.headers['content-encoding'], undefined);
  const icon = await service.request('GET', '/icon.svg');
  assert.equal(icon.headers['cache-control'], 'public, no-cache');
  const known = await service.request('GET', '/icon.svg', { headers: { 'If-None-Match': icon.headers.etag } });
  assert.equal(known.status, 304);
});

test('before the app is built, the answer says so; the app is served as soon as it is built', async (t) => {
  const folder = await makeFolder(t);
  const service = await serveApp(t, folder);
  const reply = await service.request('GET', '/', html);
  assert.equal(reply.status, 503);
  assert.match(reply.text, /npm start/);
  await fill(folder);
  assert.equal((await service.request('GET', '/sign-in', html)).status, 200);
});

test('an app that is built again while the service runs is served without a restart', async (t) => {
  const folder = await fill(await makeFolder(t));
  const service = await serveApp(t, folder);
  assert.match((await service.request('GET', '/sign-in', html)).text, /main-1\.js/);
  await rename(join(folder, '-', 'app', 'main-1.js'), join(folder, '-', 'app', 'main-2.js'));
  await writeFile(join(folder, 'index.html'), '<script type="module" src="/-/app/main-2.js"></script>');
  assert.equal(
    (await service.request('GET', '/-/app/main-1.js')).status,
    404,
    'the file was never requested before the new build',
  );
  assert.equal((await service.request('GET', '/-/app/main-2.js')).text, script);
  assert.match((await service.request('GET', '/sign-in', html)).text, /main-2\.js/);
  // The next build is served, too.
  await writeFile(join(folder, 'index.html'), '<script type="module" src="/-/app/main-3.js"></script>');
  assert.match((await service.request('GET', '/sign-in', html)).text, /main-3\.js/);
});

test('visitors without HTTPS are redirected to it if a proxy reports plain HTTP', async (t) => {
  const service = await serveApp(t, undefined, 'https://api.example.com');
  const come = async (path: string, proto?: string) => {
    const headers = { ...html.headers, ...(proto && { 'X-Forwarded-Proto': proto }) };
    const { status, headers: answered } = await service.request('GET', path, { headers });
    return [status, answered.location];
  };
  for (const path of ['/', '/sign-in?account=acme', '/pages/1', '//other.example/x']) {
    assert.deepEqual(await come(path, 'http'), [302, `https://api.example.com${path}`]);
  }
  assert.deepEqual(await come('/sign-in'), [200, undefined]);
  assert.deepEqual(await come('/sign-in', 'https'), [200, undefined]);
  for (const target of ['*', '*@evil.example/', '*.evil.example']) {
    assert.equal((await come(target, 'http'))[1], undefined, target);
  }
});

test('visitors who used HTTPS without the proxy reporting it are told what the operator must configure', async (t) => {
  const service = await serveApp(t, undefined, 'https://api.example.com');
  const come = (host: string, proto?: string, fetched = true) => {
    const sent = { ...(proto && { 'X-Forwarded-Proto': proto }), ...(fetched && { 'Sec-Fetch-Mode': 'navigate' }) };
    return service.request('GET', '/sign-in', { headers: { ...html.headers, Host: host, ...sent } });
  };
  for (const proto of ['http', undefined]) {
    const { status, text } = await come('api.example.com', proto);
    assert.equal(status, 503);
    assert.match(text, /X-Forwarded-Proto: https.*TRUST_PROXY/);
    assert.equal((await come('localhost:8080', proto)).status, proto ? 302 : 200, 'browsers trust their own machine');
  }
  assert.equal((await come('api.example.com', 'http', false)).status, 302);
});

test('plain HTTP to localhost, which browsers trust, is redirected to HTTPS', async (t) => {
  const service = await serveApp(t, undefined, 'https://api.localhost');
  const sent = { Host: 'api.localhost', 'X-Forwarded-Proto': 'http', 'Sec-Fetch-Mode': 'navigate' };
  const { status, headers } = await service.request('GET', '/sign-in', { headers: { ...html.headers, ...sent } });
  assert.deepEqual([status, headers.location], [302, 'https://api.localhost/sign-in']);
});

const script = `console.log(${JSON.stringify('x'.repeat(400))})`;

const noBrands = {
  bySubdomain: () => undefined,
  bySession: async () => undefined,
  ofAccount: async () => undefined,
};

const sessions = { agency: 'a'.repeat(43), customer: 'c'.repeat(43), ended: 'e'.repeat(43) };

async function findFirstScreen(token: string) {
  if (token === sessions.ended) return undefined;
  return token === sessions.agency ? 'overview' : 'pages';
}

async function serveApp(t: TestContext, folder?: string, publicUrl = 'http://localhost'): Promise<Service> {
  const built = folder ?? (await fill(await makeFolder(t)));
  const handler = adminAppHandler({ publicUrl }, noBrands, findFirstScreen, built);
  const server = createServer((request, response) => {
    const [path = '', query = ''] = request.url!.split('?');
    const known = {
      id: '1',
      trace: new Trace(newTraceId()),
      path,
      query,
      ip: '',
      isHttps: false,
      extraHeaders: [],
      route: '',
    };
    const ctx: RequestContext = {
      request,
      ...known,
      keyOwner: undefined,
      sessionOwner: undefined,
      siteAccountId: undefined,
    };
    const notFound = { status: 404, headers: ['Content-Length', '0'], body: '' };
    void Promise.resolve(handler(ctx) ?? notFound).then((answer) => respond(response, ctx, answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service = new Service((server.address() as AddressInfo).port, [], async () => {
    server.closeAllConnections();
    server.close();
  });
  t.after(() => service.stop());
  return service;
}

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-app-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a small version of a build's output. */
async function fill(folder: string): Promise<string> {
  await mkdir(join(folder, '-', 'app'), { recursive: true });
  await writeFile(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'made-from'), 'sources');
  await writeFile(join(folder, '-', 'app', 'main-1.js'), script);
  await writeFile(join(folder, '-', 'app', 'main-1.js.br'), brotliCompressSync(script));
  const page = '<!doctype html><script type="module" nonce="NONCE" src="/-/app/main-1.js"></script>';
  await writeFile(join(folder, 'index.html'), page);
  return folder;
}
