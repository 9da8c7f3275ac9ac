import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainNote } from './domain-note.ts';
import { lastError } from './domain-note-in-english.ts';

const [txt, host] = ['_website.www.bakery.example', 'www.bakery.example'];
const held = 'The domain is verified for another account.';

const sentences: [note: DomainNote, sentence: string][] = [
  [{ code: 'no_record', type: 'TXT', name: txt }, `There is no TXT record at ${txt}.`],
  [{ code: 'no_record', type: 'CNAME', name: host }, `There is no CNAME record at ${host}.`],
  [
    { code: 'other_record', type: 'TXT', name: txt, found: 'hello\u001b[2J', expected: 'token' },
    `The TXT record at ${txt} says "hello\\u001b[2J", not "token".`,
  ],
  [
    { code: 'other_record', type: 'CNAME', name: host, found: 'other.example', expected: 'acme.example' },
    `The CNAME record at ${host} points to "other.example", not to "acme.example".`,
  ],
  [
    { code: 'other_token', name: txt, found: 'old', expected: 'token' },
    `The TXT record at ${txt} has another token: it says "old", not "token".`,
  ],
  [
    { code: 'dns_failed', type: 'TXT', name: txt, error: 'ESERVFAIL' },
    `TXT of ${txt}: the DNS server failed (SERVFAIL).`,
  ],
  [
    { code: 'dns_failed', type: 'CNAME', name: host, error: 'EBADRESP' },
    `CNAME of ${host}: the DNS query failed (EBADRESP).`,
  ],
  [
    { code: 'held_with_proof' },
    `${held} It can be moved when that account removes it, or when its proof is gone from the DNS.`,
  ],
  [{ code: 'held_until_txt' }, `${held} It can be moved when that account removes it, or with the TXT record.`],
  [{ code: 'lost' }, 'Another account has proved that the domain is theirs.'],
];

test('every note of a domain check has an English sentence', () => {
  for (const [note, sentence] of sentences) {
    assert.equal(lastError({ last_error: JSON.stringify([note]) }), sentence);
  }
  assert.equal(lastError({ last_error: null }), null);
});
