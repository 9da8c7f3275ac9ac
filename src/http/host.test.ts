import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { hostReader } from './host.ts';

const read = hostReader('https://API.Example.com:8443');
const at = (host: string | undefined, url = '/') => read({ headers: { host }, url } as unknown as IncomingMessage);

test('the service has the host of PUBLIC_URL, and the names that no site can have', () => {
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

test('every other name is a site’s: in lower case, without a port or a dot at the end', () => {
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

test('a target in absolute form must name the host that the header names', () => {
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

test('any number of names takes a bounded amount of memory and time', () => {
  for (let count = 0; count < 30_000; count++) assert.equal(at(`n${count}.example.org`).name, `n${count}.example.org`);
});
