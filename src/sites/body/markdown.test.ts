import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBody } from '../render-body.ts';

const render = (body: string) => renderBody(body, 'markdown_format').html.replace(/\n/g, '');

test('tables in Markdown have headers with a scope, and scroll in their container', () => {
  assert.equal(
    render('| | B |\n|---|:-:|\n| 1 | 2 |'),
    '<div class="table-scroll" role="group" tabindex="0" aria-label="Table"><table>' +
      '<thead><tr><td></td><th class="align-center" scope="col">B</th></tr></thead>' +
      '<tbody><tr><td>1</td><td class="align-center">2</td></tr></tbody></table></div>',
  );
});

test('text between tildes is struck through', () => {
  assert.equal(render('~~old~~ new'), '<p><s>old</s> new</p>');
});

test('tasks have disabled checkboxes that are labelled with the text of the item', () => {
  assert.equal(
    render('- [x] buy *milk*\n- [ ] bread\n- [?] none\n- []() none'),
    '<ul class="contains-task-list">' +
      '<li class="task-list-item"><input class="task-list-item-checkbox" type="checkbox" disabled checked aria-label="buy milk"> buy <em>milk</em></li>' +
      '<li class="task-list-item"><input class="task-list-item-checkbox" type="checkbox" disabled aria-label="bread"> bread</li>' +
      '<li>[?] none</li><li> none</li></ul>',
  );
});

test('footnotes link to their notes and back', () => {
  const html = render('One[^a] two[^a].\n\n[^a]: The *note*.');
  assert.match(html, /One<sup class="footnote-ref"><a id="c-fnref1" href="#c-fn1">\[1\]<\/a><\/sup>/);
  assert.match(
    html,
    /<li id="c-fn1" class="footnote-item"><p>The <em>note<\/em>\. <a class="footnote-backref" href="#c-fnref1" aria-label="Back to the text">/,
  );
  assert.match(html, /href="#c-fnref1-1"/);
  assert.match(html, /id="c-fnref1-1"/);
});

test('addresses become links, and names of files do not', () => {
  assert.equal(
    render('https://example.com/a?b=c, www.example.com. me@example.com README.md'),
    '<p><a href="https://example.com/a?b=c" rel="noopener">https://example.com/a?b=c</a>, ' +
      '<a href="https://www.example.com" rel="noopener">www.example.com</a>. ' +
      '<a href="mailto:me@example.com">me@example.com</a> README.md</p>',
  );
});

test('code keeps its language and can be scrolled by keyboard', () => {
  assert.equal(
    render('```js\nlet a = 1 < 2;\n```'),
    '<pre tabindex="0"><code class="language-js">let a = 1 &lt; 2;</code></pre>',
  );
});

test('HTML in Markdown is cleaned like other HTML', () => {
  assert.equal(render('a <kbd>Esc</kbd> <u onclick="x()">b</u>'), '<p>a <kbd>Esc</kbd> <u>b</u></p>');
  assert.equal(
    render('<div align="center">\n\n**x**\n\n</div>'),
    '<div class="align-center"><p><strong>x</strong></p></div>',
  );
});

test('a paragraph that is only the address of a video becomes the video', () => {
  assert.match(
    render('a\n\nhttps://youtu.be/abcdefghijk\n\nb'),
    /<p>a<\/p><div class="embed"><iframe src="https:\/\/www\.youtube-nocookie\.com\/embed\/abcdefghijk"/,
  );
  assert.match(render('<https://vimeo.com/123>'), /player\.vimeo\.com\/video\/123/);
  assert.doesNotMatch(render('See https://youtu.be/abcdefghijk'), /iframe/);
  assert.doesNotMatch(render('[this](https://youtu.be/abcdefghijk)'), /iframe/);
});

test('thousands of footnotes stay text, and thousands of tasks are rendered', () => {
  assert.doesNotMatch(render('x[^1] '.repeat(2000) + '\n\n[^1]: y'), /footnote/);
  assert.equal(render('- [ ] a\n'.repeat(5000)).match(/type="checkbox"/g)?.length, 5000);
});
