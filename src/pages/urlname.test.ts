import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../test/any-text.ts';
import { numbered, toUrlname } from './urlname.ts';

const anyName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 255 }),
  anyText({ maxLength: 255 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 255 }),
);

test('a urlname is ASCII letters and digits in lower case, joined by single hyphens', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      assert.match(toUrlname(name), /^[a-z0-9]+(-[a-z0-9]+)*$/);
    }),
    { numRuns: 2000 },
  );
});

test('a urlname is never empty and never longer than 200 characters', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const { length } = toUrlname(name.repeat(4));
      assert.ok(length > 0 && length <= 200);
    }),
    { numRuns: 500 },
  );
});

test('a name always gives the same urlname, however its characters are composed', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      assert.equal(toUrlname(name), toUrlname(name));
      assert.equal(toUrlname(name.normalize('NFD')), toUrlname(name.normalize('NFC')));
    }),
    { numRuns: 500 },
  );
});

test('a urlname is its own urlname, so that a URL can be typed back in as a name', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      assert.equal(toUrlname(toUrlname(name)), toUrlname(name));
    }),
    { numRuns: 500 },
  );
});

test('a name is transliterated if possible, and an empty result becomes "page"', () => {
  for (const [name, urlname] of [
    ['About us', 'about-us'],
    ['  --Über_uns & Grüße!--  ', 'uber-uns-grusse'],
    ["Don't stop", 'dont-stop'],
    ['Crème brûlée', 'creme-brulee'],
    ['GROẞE STRAẞE', 'grosse-strasse'],
    ['ẞ', 'ss'],
    ['Привет', 'privet'],
    ['100% / 50 %', '100-50'],
    ['', 'page'],
    ['!!!', 'page'],
    ['-', 'page'],
    ['\u200b\u0301', 'page'],
    ['../../etc/passwd', 'etc-passwd'],
    ['<script>', 'script'],
  ] as const) {
    assert.equal(toUrlname(name), urlname, name);
  }
});

test('a urlname is made only from the first 10,000 characters of a text', () => {
  const nothing = '…'.repeat(10_000);
  assert.deepEqual([toUrlname(`${nothing.slice(1)}a`), toUrlname(`${nothing}a`)], ['a', 'page']);
});

test('urlnames with different numbers are different', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (one, other) => {
      assert.equal(numbered('news', one) === numbered('news', other), one === other);
    }),
  );
  assert.deepEqual(
    [1, 2, 3].map((number) => numbered('news', number)),
    ['news', 'news-2', 'news-3'],
  );
});
