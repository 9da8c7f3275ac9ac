import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentTitle, titleOf } from './page-title.ts';

const page = { name: 'Oak', isHome: false, site: { name: 'Harrow & Daughters' } };

test('a page’s title is its name, and its document’s title adds the name of the site', () => {
  for (const name of ['Oak', 'Home']) {
    assert.equal(titleOf({ ...page, name }), name);
    assert.equal(documentTitle({ ...page, name }), `${name} · Harrow & Daughters`);
  }
  assert.equal(documentTitle({ ...page, name: 'Harrow & Daughters' }), 'Harrow & Daughters');
});

test('a home page that is merely called "Home" has the name of the site', () => {
  for (const name of ['Home', 'Startseite', 'STRONA GŁÓWNA', 'Home page']) {
    assert.equal(titleOf({ ...page, name, isHome: true }), 'Harrow & Daughters');
    assert.equal(documentTitle({ ...page, name, isHome: true }), 'Harrow & Daughters');
  }
  assert.equal(titleOf({ ...page, isHome: true }), 'Oak');
  assert.equal(documentTitle({ ...page, isHome: true }), 'Harrow & Daughters · Oak');
});
