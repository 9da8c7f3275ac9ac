import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countPages, inOrder, sitesToChange } from './count-pages.ts';

const left = { reason: 'changed', sourceId: 1, name: 'Home' } as const;
const same = { name: 'same', updated: [], added: [], left: [] };
const changed = { name: 'changed', updated: ['Home', 'Bread'], added: ['News'], left: [] };
const both = { name: 'both', updated: ['Bread'], added: [], left: [left] };

describe('the preview of a template push', () => {
  test('the preview of a push counts the pages of all sites', () => {
    assert.deepEqual(countPages([same, changed, both]), { updated: 3, added: 1, left: 1 });
  });

  test('the preview of a push lists sites with pages left unchanged first, and sites without changes last', () => {
    assert.deepEqual(
      inOrder([same, changed, both]).map(({ name }) => name),
      ['both', 'changed', 'same'],
    );
    assert.deepEqual(
      sitesToChange([same, changed, both]).map(({ name }) => name),
      ['changed', 'both'],
    );
  });
});
