import assert from 'node:assert/strict';
import { test } from 'node:test';
import { section } from '../../../../test/site-views.ts';
import type { PageView } from '../view.ts';
import { splitBody } from './title.ts';

function split(changes: Partial<PageView>): string[] {
  const { title, lead, rest } = splitBody({ ...section, excerpt: '', ...changes });
  return [title, lead, rest].map(({ text }) => text);
}

test("a page's title is its name, and its lead its description", () => {
  assert.deepEqual(split({ name: 'A & B', excerpt: 'Of <b>', bodyHtml: '<p>one</p>' }), [
    '<h1>A &amp; B</h1>',
    '<p>Of &lt;b&gt;</p>',
    '<p>one</p>',
  ]);
});

test('a body that begins with an h1 provides the title, and its first paragraph the lead', () => {
  const bodyHtml = '<h1 id="a">Own</h1>\n<p>First.</p>\n<p>Second.</p>';
  const parts = ['<h1 id="a">Own</h1>', '<p>First.</p>', '\n<p>Second.</p>'];
  assert.deepEqual(split({ hasTitle: true, bodyHtml }), parts);
  assert.deepEqual(split({ hasTitle: true, bodyHtml, excerpt: 'Said otherwise.' }), parts);
});

test('a long first paragraph, a picture or a heading stays in the body', () => {
  for (const paragraph of [`<p>${'long '.repeat(100)}</p>`, '<p><img src="/a.png" alt=""></p>', '<h2>Two</h2>']) {
    const bodyHtml = `<h1>Own</h1>${paragraph}`;
    assert.deepEqual(split({ hasTitle: true, bodyHtml }), ['<h1>Own</h1>', '', paragraph]);
  }
});

test('a body whose h1 comes later is not split', () => {
  const bodyHtml = '<p>First.</p><h1>Own</h1>';
  assert.deepEqual(split({ hasTitle: true, bodyHtml }), ['', '', bodyHtml]);
});
