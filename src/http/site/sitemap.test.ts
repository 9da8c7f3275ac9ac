import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VisiblePages } from '../../sites/visible-pages.ts';
import { partsOf, sitemap } from './sitemap.ts';

const address = 'https://acme.example';

/** Returns `count` root pages, whose urlnames end in their numbers. */
function rootPages(count: number, urlname = 'p'): VisiblePages {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return new VisiblePages(
    {
      ids: numbers,
      parents: numbers.map(() => 0),
      urlnames: numbers.map((number) => `${urlname}${number}`),
      updated: numbers.map(() => 0),
      dates: numbers.map(() => 0),
    },
    { indexes: Uint32Array.from(numbers.keys()), depths: new Uint8Array(count).fill(1) },
  );
}

test('a sitemap of up to 50,000 pages is one file', async () => {
  const text = String(await sitemap(rootPages(50_000), address, 0));
  assert.equal(text.split('<url>').length - 1, 50_000);
  assert.equal(await sitemap(rootPages(50_000), address, 1), undefined);
});

test('a larger sitemap has parts, which an index lists', async () => {
  const pages = rootPages(120_000);
  const index = String(await sitemap(pages, address, 0));
  assert.deepEqual(
    [...index.matchAll(/<sitemap><loc>([^<]+)<\/loc>/g)].map(([, part]) => part),
    [1, 2, 3].map((part) => `${address}/sitemap-${part}.xml`),
  );
  const locations = async (part: number) =>
    [...String(await sitemap(pages, address, part)).matchAll(/<loc>([^<]+)</g)].map(([, location]) => location);
  const [first, second, third] = [await locations(1), await locations(2), await locations(3)];
  assert.deepEqual([first.length, second.length, third.length], [50_000, 50_000, 20_000]);
  assert.deepEqual([first[0], second[0], third.at(-1)], [`${address}/`, `${address}/p50001`, `${address}/p120000`]);
  assert.equal(await sitemap(pages, address, 4), undefined);
});

test('no part of a sitemap is larger than search engines accept', async () => {
  const pages = rootPages(30_000, 'long-'.repeat(400));
  const files: Buffer[] = [];
  for (let part = 1; ; part++) {
    const file = await sitemap(pages, address, part);
    if (!file) break;
    files.push(file);
  }
  assert.equal(files.length, partsOf(pages, address));
  assert.equal(String(await sitemap(pages, address, 0)).split('<sitemap>').length - 1, files.length);
  for (const file of files) assert.ok(file.length <= 50 * 1024 * 1024, String(file.length));
  const entries = files.map((file) => String(file).split('<url>').length - 1);
  assert.equal(
    entries.reduce((sum, count) => sum + count, 0),
    30_000,
  );
});
