import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldCode } from '../field-error.ts';
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
  test(`parseHost reads ${JSON.stringify(text)} as the host ${host}`, () =>
    assert.equal(parseHost(text, installation), host));
}

const wrong: Array<[text: string, code: FieldCode]> = [
  ['', 'blank'],
  ['https://', 'blank'],
  ['localhost', 'not_a_whole_host_name'],
  ['example.1', 'not_a_whole_host_name'],
  ['192.0.2.1', 'ip_address'],
  ['http://192.0.2.1/', 'ip_address'],
  ['0x7f.1', 'ip_address'],
  ['[2001:db8::1]', 'ip_address'],
  ['2001:db8::1', 'ip_address'],
  ['www.example.com:8080', 'has_port'],
  ['https://www.example.com:8080/', 'has_port'],
  [`${'a.'.repeat(121)}com`, 'too_long'],
  [`${'a'.repeat(64)}.example`, 'not_a_host_name'],
  ['-a.example.com', 'not_a_host_name'],
  ['a-.example.com', 'not_a_host_name'],
  ['a..example.com', 'not_a_host_name'],
  ['.example.com', 'not_a_host_name'],
  ['*.example.com', 'not_a_host_name'],
  ['exa_mple.com', 'not_a_host_name'],
  ['exa mple.com', 'not_a_host_name'],
  ['ex%41mple.com', 'not_a_host_name'],
  ['joe@example.com', 'not_a_host_name'],
  ['ftp://example.com', 'not_a_host_name'],
  ['example.com\0', 'not_a_host_name'],
  ['sites.agency.example', 'of_this_installation'],
  ['ACME.sites.agency.example', 'of_this_installation'],
  ['a.b.sites.agency.example', 'of_this_installation'],
  ['api.agency.example', 'of_this_installation'],
];

for (const [text, code] of wrong) {
  test(`parseHost refuses ${JSON.stringify(text.slice(0, 40))} as ${code}`, () => {
    const params = code === 'too_long' ? { params: { max: 243 } } : {};
    assert.throws(() => parseHost(text, installation), { fields: [{ field: 'host', code, ...params }] });
  });
}
