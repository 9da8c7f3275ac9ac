import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidationError } from '../errors.ts';
import { parseHost } from './host-name.ts';

const installation = { publicUrl: 'https://api.agency.example:8443/base', sitesDomain: 'sites.agency.example:8443' };

const right: Array<[text: string, host: string]> = [
  ['www.example.com', 'www.example.com'],
  ['example.com', 'example.com'],
  ['  WWW.Example.COM. ', 'www.example.com'],
  ['https://www.example.com/', 'www.example.com'],
  ['HTTP://www.example.com/a/b?c#d', 'www.example.com'],
  ['www.example.com/', 'www.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['www。example。com', 'www.example.com'],
  ['1.example.com', '1.example.com'],
  ['agency.example', 'agency.example'],
  ['notsites.agency.example', 'notsites.agency.example'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
];

for (const [text, host] of right) {
  test(`${JSON.stringify(text)} is the host ${host}`, () => assert.equal(parseHost(text, installation), host));
}

const wrong: Array<[text: string, mistake: string]> = [
  ['', "can't be blank"],
  ['https://', "can't be blank"],
  ['localhost', 'is not a whole host name like www.example.com'],
  ['example.1', 'is not a whole host name like www.example.com'],
  ['192.0.2.1', 'is an IP address, not a name'],
  ['http://192.0.2.1/', 'is an IP address, not a name'],
  ['0x7f.1', 'is an IP address, not a name'],
  ['[2001:db8::1]', 'is an IP address, not a name'],
  ['2001:db8::1', 'is an IP address, not a name'],
  ['www.example.com:8080', "can't have a port"],
  ['https://www.example.com:8080/', "can't have a port"],
  [`${'a.'.repeat(121)}com`, 'is too long (maximum is 243 characters)'],
  [`${'a'.repeat(64)}.example`, 'is not a host name like www.example.com'],
  ['-a.example.com', 'is not a host name like www.example.com'],
  ['a-.example.com', 'is not a host name like www.example.com'],
  ['a..example.com', 'is not a host name like www.example.com'],
  ['.example.com', 'is not a host name like www.example.com'],
  ['*.example.com', 'is not a host name like www.example.com'],
  ['exa_mple.com', 'is not a host name like www.example.com'],
  ['exa mple.com', 'is not a host name like www.example.com'],
  ['ex%41mple.com', 'is not a host name like www.example.com'],
  ['joe@example.com', 'is not a host name like www.example.com'],
  ['ftp://example.com', 'is not a host name like www.example.com'],
  ['example.com\0', 'is not a host name like www.example.com'],
  ['sites.agency.example', 'belongs to this installation'],
  ['ACME.sites.agency.example', 'belongs to this installation'],
  ['a.b.sites.agency.example', 'belongs to this installation'],
  ['api.agency.example', 'belongs to this installation'],
];

for (const [text, mistake] of wrong) {
  test(`${JSON.stringify(text.slice(0, 40))} ${mistake}`, () => {
    assert.throws(() => parseHost(text, installation), new ValidationError([['host', mistake]]));
  });
}
