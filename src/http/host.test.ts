import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { hostReader } from './host.ts';

const read = hostReader('https://API.Example.com:8443');
const at = (host: string | undefined, url = '/') => read({ headers: { host }, url } as unknown as IncomingMessage);

test('the host of PUBLIC_URL and names that no site can have belong to the service', () => {
  for (const host of [
    'api.example.com',
    'API.example.COM',
    'api.example.com.',
    'api.example.com:443',
    'localhost',
    'localhost:8080',
    '127.0.0.1:8080',
    '[::1]:8080',
    'freehold',
    '',
    undefined,
  ]) {
    assert.equal(at(host).kind, 'service', String(host));
  }
});

test('every other name belongs to a site, and is normalized: lower case, no port, no trailing dot', () => {
  for (const host of ['acme.example.org', 'ACME.Example.org', 'acme.example.org.', 'acme.example.org.:80']) {
    assert.deepEqual(at(host), { kind: 'site', name: 'acme.example.org' }, host);
  }
  assert.deepEqual(at('acme.localhost:8080'), { kind: 'site', name: 'acme.localhost' });
  assert.equal(at('www.api.example.com').kind, 'site');
});

test('an invalid host name is malformed', () => {
  for (const host of [
    'a b',
    'a..b',
    '.example.org',
    'acme.example.org:http',
    'acme.example.org/x',
    'user@acme.example.org',
    'é.example.org',
    '[::1',
    '[1.2.3.4]',
    ':80',
    `${'a.'.repeat(200)}org`,
  ]) {
    assert.equal(at(host).kind, 'malformed', host);
  }
});

test('an absolute request target with another host than the Host header belongs to an unknown site', () => {
  assert.equal(at('acme.example.org', 'http://ACME.example.org:80/a').name, 'acme.example.org');
  assert.equal(at('api.example.com', 'https://api.example.com/api/account.json').kind, 'service');
  for (const [host, url] of [
    ['api.example.com', 'http://acme.example.org/'],
    ['acme.example.org', 'http://api.example.com/api/account.json'],
    ['acme.example.org', 'http://other.example.org/'],
    ['acme.example.org', 'http://user@acme.example.org/'],
  ] as const) {
    assert.deepEqual(at(host, url), { kind: 'site', name: '' }, `${host} ${url}`);
  }
});

test('tens of thousands of different host names are all read correctly', () => {
  for (let count = 0; count < 30_000; count++) assert.equal(at(`n${count}.example.org`).name, `n${count}.example.org`);
});
