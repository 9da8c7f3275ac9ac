import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBody } from '../render-body.ts';

const render = (body: string) => renderBody(body, 'markdown_format');
const levels = (body: string) => [...render(body).html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));

test('a body has a title if it begins with an h1', () => {
  assert.equal(render('# A\n\nb').hasTitle, true);
  assert.equal(renderBody('\n<div>\n<h1>A</h1></div>', '').hasTitle, true);
  assert.equal(render('b\n\n# A').hasTitle, false);
  assert.equal(renderBody('<img src="a.png"><h1>A</h1>', '').hasTitle, false);
});

test('only the title at the start of a body is an h1', () => {
  assert.deepEqual(levels('# A\n\n# B\n\n## C\n\n# D'), [1, 2, 3, 2]);
  assert.deepEqual(levels('a\n\n# B\n\n## C'), [2, 3]);
});

test('levels of headings do not skip, and equal levels stay equal', () => {
  assert.deepEqual(levels('# A\n\n#### B\n\n#### C\n\n## D\n\n##### E'), [1, 2, 2, 2, 3]);
  assert.deepEqual(levels('a\n\n### B\n\n### C\n\n## D'), [2, 2, 2]);
});

test('headings get ids made from their text, in any script', () => {
  const { headings, html } = render(
    '# Über uns & mehr\n\n## 2024\n\n## 日本語 です\n\n## 2024\n\n## Content\n\n#### Deep',
  );
  assert.deepEqual(headings, [
    { level: 1, id: 'über-uns-mehr', text: 'Über uns & mehr' },
    { level: 2, id: 'section-2024', text: '2024' },
    { level: 2, id: '日本語-です', text: '日本語 です' },
    { level: 2, id: 'section-2024-2', text: '2024' },
    { level: 2, id: 'content-2', text: 'Content' },
    { level: 3, id: 'deep', text: 'Deep' },
  ]);
  for (const { id } of headings) assert.ok(html.includes(`id="${id}"`));
});

test('headings of HTML get ids, and keep those that they have', () => {
  const { html } = renderBody('<h2>A b</h2><h2 id="Own">C</h2><a href="#Own">d</a>', '');
  assert.equal(html, '<h2 id="a-b">A b</h2><h2 id="Own">C</h2><a href="#Own">d</a>');
});

test('links to the ids that other programs make for headings lead to the headings', () => {
  assert.match(render('[a](#tips--tricks)\n\n## Tips & Tricks').html, /href="#tips-tricks"/);
  assert.match(render('[a](#%C3%BCber)\n\n## Über').html, /href="#%C3%BCber"/);
});

test('a heading without visible content is removed, and one with an image has the image’s text', () => {
  assert.equal(renderBody('<h2><br></h2><h2><img src="a.png"></h2>', '').headings.length, 0);
  assert.deepEqual(renderBody('<h1><img src="a.png" alt="Acme"></h1>', '').headings, [
    { level: 1, id: 'acme', text: 'Acme' },
  ]);
});
