import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withoutOwnHosts } from './own-addresses.ts';

const hosts = new Set(['bakery.sites.example', 'www.bakery.example']);

describe('texts copied to another site', () => {
  for (const [before, after] of [
    ['<img src="https://bakery.sites.example/media/a-1x1.webp">', '<img src="/media/a-1x1.webp">'],
    ["<a href='http://WWW.bakery.example:8080/bread?x#y'>", "<a href='/bread?x#y'>"],
    ['<a href=//www.bakery.example/bread>', '<a href=/bread>'],
    ['<a href="https://www.bakery.example">', '<a href="/">'],
    ['<a href="https://www.bakery.example#top">', '<a href="/#top">'],
    ['![Bread](https://www.bakery.example/media/b-1x1.webp)', '![Bread](/media/b-1x1.webp)'],
    ['[bread]: https://www.bakery.example/bread', '[bread]: /bread'],
  ] as const) {
    test(`the own host is removed from an address: ${before}`, () =>
      assert.equal(withoutOwnHosts(before, hosts), after));
  }

  for (const text of [
    '<p>Visit https://www.bakery.example/ today</p>',
    '<https://www.bakery.example/bread>',
    '<a href="https://bakery.example/">',
    '<a href="https://www.bakery.example.evil.example/">',
    '<a href="https://evil.example/www.bakery.example/">',
  ]) {
    test(`a text without an own address in a link stays: ${text}`, () =>
      assert.equal(withoutOwnHosts(text, hosts), text));
  }
});
