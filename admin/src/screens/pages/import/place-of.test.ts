import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from './place-of.ts';

test('an import error is split into its page, or file of an archive, and its field', () => {
  for (const [field, ...expected] of [
    ['archive', '', 'file'],
    ['site_url', '', 'site_url'],
    ['services/cakes.md.name', 'services/cakes.md', 'name'],
    ['services/cakes.md', 'services/cakes.md', 'file'],
    ['a.md.hidden', 'a.md', 'isHidden'],
    ['pages[3].children[0].custom_date', 'pages[3].children[0]', 'customDate'],
    ['pages[3]', 'pages[3]', 'page'],
    ['"About us".name', '"About us"', 'name'],
    ['"About us"', '"About us"', 'page'],
  ] as const) {
    const { place, field: name } = placeOf(field);
    assert.deepEqual([place, name], expected, field);
  }
});
