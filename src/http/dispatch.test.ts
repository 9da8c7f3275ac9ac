import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dispatcher, type Handlers } from './dispatch.ts';
import { hostReader } from './host.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

const publicUrl = 'https://app.example';

/** Sends a request to a dispatcher whose handlers answer with their own names. The handlers in `leaving` return undefined. */
function ask(
  {
    host,
    path,
    isHttps = false,
    isAppHost = false,
  }: { host: string; path: string; isHttps?: boolean; isAppHost?: boolean },
  leaving: ReadonlyArray<keyof Handlers> = [],
) {
  const names: ReadonlyArray<keyof Handlers> = [
    ...(['api', 'admin', 'adminApp', 'brandImages', 'movedApp', 'themeAssets', 'operations'] as const),
    ...(['site', 'malformedHost', 'notFound'] as const),
  ];
  const answer = (body: string): HttpResponse => ({ status: 200, headers: [], body });
  const handlers: Record<string, (ctx: unknown, host: string, asApp: () => unknown) => unknown> = Object.fromEntries(
    names.map((name) => [
      name,
      (_: unknown, named = '') => (leaving.includes(name) ? undefined : answer(name + named)),
    ]),
  );
  const ofSite = handlers.site!;
  handlers.site = (ctx, host, asApp) => (isAppHost ? asApp() : ofSite(ctx, host, asApp));
  const ctx = { request: { headers: { host }, url: path }, path, isHttps, extraHeaders: [] as string[] };
  const dispatch = dispatcher({ publicUrl, hostOf: hostReader(publicUrl) }, handlers as unknown as Handlers);
  const { body } = dispatch(ctx as unknown as RequestContext) as HttpResponse;
  return { handler: body, extraHeaders: ctx.extraHeaders };
}

function handlerOf(host: string, path: string, leaving?: ReadonlyArray<keyof Handlers>) {
  return String(ask({ host, path }, leaving).handler).replace(host, '');
}

test('on the host of PUBLIC_URL, the path decides between the API, the admin app and the operations handler', () => {
  const handler = (path: string, leaving?: ReadonlyArray<keyof Handlers>) => handlerOf('app.example', path, leaving);
  for (const path of ['/api/pages.json', '/mcp', '/oauth/token', '/.well-known/oauth-authorization-server']) {
    assert.equal(handler(path), 'api');
  }
  assert.equal(handler('/admin/session'), 'admin');
  assert.equal(handler('/-/app/index.js'), 'adminApp');
  assert.equal(handler('/-/brand/a.png', ['adminApp']), 'brandImages');
  assert.equal(handler('/-/theme.css', ['adminApp', 'brandImages']), 'themeAssets');
  assert.equal(handler('/healthz'), 'operations');
  assert.equal(handler('/sign-in', ['operations']), 'adminApp');
  assert.equal(handler('/nothing', ['operations', 'adminApp']), 'notFound');
  assert.equal(handler('/-/nothing', ['adminApp', 'brandImages', 'themeAssets']), 'notFound');
});

test('on other names of the service there is no admin app, and users are told where it is', () => {
  for (const host of ['localhost', '127.0.0.1', 'container']) {
    for (const path of ['/api/pages.json', '/mcp']) assert.equal(handlerOf(host, path), 'api');
    assert.equal(handlerOf(host, '/healthz'), 'operations');
    for (const path of ['/', '/admin/session', '/-/app/index.js']) {
      assert.equal(handlerOf(host, path, ['operations']), 'movedApp');
      assert.equal(handlerOf(host, path, ['operations', 'movedApp']), 'notFound');
    }
  }
});

test("on an agency's host, only the admin app and its calls are served, not the API or operations", () => {
  const handler = (path: string, leaving: ReadonlyArray<keyof Handlers> = []) =>
    String(ask({ host: 'app.agency.example', path, isAppHost: true }, leaving).handler).replace(
      'app.agency.example',
      '',
    );
  assert.equal(handler('/admin/session'), 'admin');
  assert.equal(handler('/-/brand/a.png', ['adminApp']), 'brandImages');
  assert.equal(handler('/sign-in'), 'adminApp');
  for (const path of ['/api/pages.json', '/api/docs', '/mcp']) assert.equal(handler(path), 'notFound');
  for (const path of ['/healthz', '/metrics']) assert.equal(handler(path, ['adminApp']), 'notFound');
});

test('every path of another host goes to the site handler, with the name of the host', () => {
  for (const path of ['/', '/api/pages.json', '/mcp', '/admin/session', '/healthz']) {
    assert.equal(ask({ host: 'Acme.example:8080', path }).handler, 'siteacme.example');
  }
});

test('a malformed host is answered by its own handler on every path', () => {
  for (const path of ['/', '/api/pages.json']) assert.equal(handlerOf('a b', path), 'malformedHost');
});

test('Strict-Transport-Security is sent only by the service itself, and only over HTTPS', () => {
  const headers = (host: string, isHttps: boolean) => ask({ host, path: '/', isHttps }).extraHeaders;
  assert.deepEqual(headers('app.example', true), ['Strict-Transport-Security', 'max-age=31536000']);
  assert.deepEqual(headers('app.example', false), []);
  assert.deepEqual(headers('acme.example', true), []);
});
