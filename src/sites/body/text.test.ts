import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBody } from '../render-body.ts';

const text = (body: string) => renderBody(body, '').text;

test('the text of a body has single spaces', () => {
  assert.equal(text('<p>a\n  <b>b</b>c</p><ul><li>d<li>e</ul>f<br>g &amp; h&nbsp;i'), 'a bc d e f g & h i');
});

test('the text of a body has its headings only if there is no other text', () => {
  assert.equal(text('<h1>a</h1><p>b</p>'), 'b');
  assert.equal(text('<h1>a</h1>'), 'a');
});

test('the text of a body leaves out hidden text', () => {
  assert.equal(text('a<script>b</script><style>c</style><!-- d --><svg><text>e</text></svg>'), 'a');
});

test('the text of a body leaves out the numbers of footnotes', () => {
  assert.equal(renderBody('a[^1].\n\n[^1]: b.', 'markdown_format').text, 'a. b.');
});
