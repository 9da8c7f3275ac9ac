import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBody } from '../render-body.ts';

const text = (body: string) => renderBody(body, '').text;

test('the text is that of the page with single spaces', () => {
  assert.equal(text('<p>a\n  <b>b</b>c</p><ul><li>d<li>e</ul>f<br>g &amp; h&nbsp;i'), 'a bc d e f g & h i');
});

test('headings are in it only where there is nothing else', () => {
  assert.equal(text('<h1>a</h1><p>b</p>'), 'b');
  assert.equal(text('<h1>a</h1>'), 'a');
});

test('hidden text is left out', () => {
  assert.equal(text('a<script>b</script><style>c</style><!-- d --><svg><text>e</text></svg>'), 'a');
});

test('the numbers of footnotes are not in it', () => {
  assert.equal(renderBody('a[^1].\n\n[^1]: b.', 'markdown_format').text, 'a. b.');
});
