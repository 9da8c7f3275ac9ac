import assert from 'node:assert/strict';
import { test } from 'node:test';
import specification from 'commonmark-spec';
import { renderBody } from '../render-body.ts';
import { markdownToHtml } from './markdown.ts';
import { readHtml } from './read-html.ts';
import { textOf } from './text.ts';

/** Examples with bare addresses, which are links here but not in CommonMark. */
const withBareAddresses = [602, 608, 611, 612];

/** The examples. The specification shows tabs as arrows, and writes elements without content the XML way. */
const examples = specification.tests.map(({ markdown, html, number }) => ({
  number,
  markdown: markdown.replaceAll('→', '\t'),
  html: html.replaceAll('→', '\t'),
}));

const plain = (html: string) => html.replaceAll(' />', '>').replaceAll('<blockquote>\n</', '<blockquote></');

test('every example of CommonMark gives the HTML that the specification says', () => {
  assert.equal(examples.length, 652);
  for (const { number, markdown, html } of examples) {
    if (withBareAddresses.includes(number)) continue;
    assert.equal(plain(markdownToHtml(markdown)), plain(html), `example ${number}`);
  }
});

test('visitors see the text of every CommonMark example', () => {
  for (const { number, markdown, html } of examples) {
    const shown = renderBody(markdown, 'markdown_format').html;
    assert.equal(textOf(readHtml(shown).children), textOf(readHtml(html).children), `example ${number}`);
  }
});
