import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { isCheapToRender } from './is-cheap-to-render.ts';

const markdown = (body: string) => isCheapToRender({ body, format: 'markdown_format' });

/** Returns the part, repeated up to the greatest length of a cheap body. */
const full = (part: string) => part.repeat(12 * 1024).slice(0, 12 * 1024);

test('typical bodies of up to 12 KB are cheap to render', async () => {
  const text = await readFile(new URL('../../docs/admin-guide.md', import.meta.url), 'utf8');
  for (let at = 0; at < text.length; at += 6000) assert.ok(markdown(text.slice(at, at + 12 * 1024)), `from ${at}`);
  assert.ok(markdown(full('Words of a text, and more of them.\n')));
  assert.ok(isCheapToRender({ body: full(`<p>${'Words of a text. '.repeat(10)}</p>`), format: 'wysiwyg_format' }));
  assert.ok(!markdown(`${full('a')}a`));
  assert.ok(!isCheapToRender({ body: `${full('a')}a`, format: '' }));
});

test('Markdown that consists only of marks is not cheap to render', () => {
  const parts = [
    '|a|\n|-|\n\n',
    '|a|\r|-|\r\r',
    '|a|\r\n|-|\r\n\r\n',
    'a|b\n-|-\n\n',
    '>a\n\n',
    '# a\n',
    '*a* ',
    '- a\n',
    '![',
    'www.a.b ',
    '&amp;',
    '[^1] ',
  ];
  for (const part of parts) assert.ok(!markdown(full(part)), JSON.stringify(part));
});

test('HTML that consists only of tags or references is not cheap to render', () => {
  for (const part of ['<li>', '<h2>a</h2>', '<p>a', '&amp;', '<b><p></b>']) {
    assert.ok(!isCheapToRender({ body: full(part), format: 'wysiwyg_format' }), part);
  }
});

test('a few hundred characters of Markdown that make a table of thousands of cells are not cheap to render', () => {
  assert.ok(!markdown(`|${'a|'.repeat(50)}\n|${'-|'.repeat(50)}\n${'|\n'.repeat(300)}`));
  assert.ok(markdown(`|${'a|'.repeat(5)}\n|${'-|'.repeat(5)}\n${`|${'a|'.repeat(5)}\n`.repeat(20)}`));
});
