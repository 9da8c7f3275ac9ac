import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBody } from '../render-body.ts';

const cases = (format: 'wysiwyg_format' | '', pairs: Readonly<Record<string, string>>) => {
  for (const [body, expected] of Object.entries(pairs)) assert.equal(renderBody(body, format).html, expected);
};

test('bodies of the visual editor and imported bodies without a format are rendered as HTML', () => {
  cases('wysiwyg_format', { '<p>a <strong>b</strong></p>': '<p>a <strong>b</strong></p>' });
  cases('', { '<p>*a*</p>': '<p>*a*</p>' });
});

test('unclosed elements are closed, and misnested ones are corrected', () => {
  cases('', {
    '<p>a<p>b': '<p>a</p><p>b</p>',
    '<b><i>a</b>b</i>': '<b><i>a</i></b><i>b</i>',
    '<b><p>a</p></b>': '<p><b>a</b></p>',
    '<p>a<div>b</div>c</p>': '<p>a</p><div>b</div>c',
    '<h2>a<div>b</div></h2>': '<h2 id="ab">ab</h2>',
    '<a href="/a">x<a href="/b">y</a>': '<a href="/a">x</a><a href="/b">y</a>',
    '<a href="/a"><div>x</div></a>': '<div><a href="/a">x</a></div>',
    '</div></p>a': 'a',
  });
});

test('list items without a list and table cells without a row get one', () => {
  const table = (rows: string) =>
    `<div class="table-scroll" role="group" tabindex="0" aria-label="Table"><table><tbody>${rows}</tbody></table></div>`;
  cases('', {
    '<li>a<li>b': '<ul><li>a</li><li>b</li></ul>',
    '<ul>a<li>b</ul>': '<ul><li>a</li><li>b</li></ul>',
    '<ul><li>a</li><ul><li>b</li></ul></ul>': '<ul><li>a<ul><li>b</li></ul></li></ul>',
    '<dl><dt>a<dd>b</dl>': '<dl><dt>a</dt><dd>b</dd></dl>',
    '<dd>a': '<div><div>a</div></div>',
    '<table><td>a<td>b<tr>c</table>': table('<tr><td>a</td><td>b</td></tr><tr><td>c</td></tr>'),
    '<td>a</td>': '<div>a</div>',
    '<table><tr><td rowspan="9">a</table>': table('<tr><td>a</td></tr>'),
    '<table></table>': '',
  });
});

test('obsolete elements and attributes are replaced', () => {
  cases('', {
    '<center>a</center>': '<div class="align-center">a</div>',
    '<font color="red" size="7">a</font>': 'a',
    '<tt>a</tt> <strike>b</strike> <big>c</big> <acronym title="d">e</acronym>':
      '<code>a</code> <s>b</s> c <abbr title="d">e</abbr>',
    '<p align="right" bgcolor="red">a</p>': '<p class="align-right">a</p>',
    '<img src="a.png" align="left" border="0" hspace="5">':
      '<img class="float-left" src="a.png" alt="" fetchpriority="high">',
    '<main><section><nav>a</nav></section></main>': '<div><div><div>a</div></div></div>',
  });
});

test('styles that carry meaning become classes and elements, and others are removed', () => {
  cases('', {
    '<p style="text-align: center; color: red">a</p>': '<p class="align-center">a</p>',
    '<span style="font-weight:700">a</span><span style="color:red">b</span>': '<strong>a</strong>b',
    '<b style="font-weight:normal"><p>a</p></b>': '<p>a</p>',
    '<img src="a.png" style="width:300px;height:200.5px;float:right">':
      '<img class="float-right" src="a.png" alt="" width="300" height="200" fetchpriority="high">',
  });
});

test('figures of any program keep their size, side, link and caption', () => {
  const image = '<img src="a.png" alt="A" fetchpriority="high">';
  cases('', {
    '<figure class="image-wide mine"><a href="/b"><img src="a.png" alt="A"></a><figcaption>A <em>b</em></figcaption></figure>': `<figure class="image-wide"><a href="/b">${image}</a><figcaption>A <em>b</em></figcaption></figure>`,
    '<figure class="image-small float-right"><img src="a.png" alt="A"></figure>': `<figure class="image-small float-right">${image}</figure>`,
    '<figure class="wp-block-image alignfull"><img class="wp-image-7" src="a.png" alt="A"></figure>': `<figure class="image-full">${image}</figure>`,
    '<figure class="kg-card kg-width-wide"><img src="a.png" alt="A"></figure>': `<figure class="image-wide">${image}</figure>`,
    '<p class="image-full">a</p>': '<p>a</p>',
  });
});

test('forms lose their controls and keep their text', () => {
  cases('', {
    '<form action="/x"><label>Name <input name="a"></label><textarea>b</textarea><button>Send</button></form>':
      '<div>Name Send</div>',
  });
});

test('empty elements are removed, but visible empty lines stay', () => {
  cases('', {
    '<p></p><h2> </h2><b></b><a href="/x"></a><ul></ul><p>&nbsp;</p>': ' <p>\u00a0</p>',
  });
});

test('links to other sites get "noopener", and keep the target "_blank"', () => {
  cases('', {
    '<a href="https://example.com" target="_blank" rel="me opener">a</a>':
      '<a href="https://example.com" target="_blank" rel="me noopener">a</a>',
    '<a href="/a" target="top">a</a>': '<a href="/a">a</a>',
    '<a href="mailto:a@example.com">a</a> <a href="tel:+1 2">b</a>':
      '<a href="mailto:a@example.com">a</a> <a href="tel:+1%202">b</a>',
    '<a href="/a b?c=[d]&e=ü#f">a</a>': '<a href="/a%20b?c=%5Bd%5D&amp;e=ü#f">a</a>',
    '<a href="https:example.com\\a">a</a>': '<a href="https://example.com/a" rel="noopener">a</a>',
  });
});

test('a link that holds only an image without text gets its target as label', () => {
  cases('', {
    '<a href="https://www.example.com/shop/"><img src="a.png"></a>':
      '<a href="https://www.example.com/shop/" rel="noopener" aria-label="example.com/shop"><img src="a.png" alt="" fetchpriority="high"></a>',
  });
});

test('ids never clash with those of the template, are unique, and are followed by links within the page', () => {
  cases('', {
    '<p id="content">a</p><p id="content">b</p><a href="#content">c</a>':
      '<p id="c-content">a</p><p id="c-content-2">b</p><a href="#c-content">c</a>',
    '<a name="x y">a</a><a href="#x%20y">b</a><a href="#none">c</a>':
      '<a id="c-x-y">a</a><a href="#c-x-y">b</a><a href="#none">c</a>',
  });
});

test('the output is at most 100 levels deep, however deep the input is nested', () => {
  const { html } = renderBody('<div>'.repeat(5000) + 'a' + '</div>'.repeat(5000) + 'b', '');
  assert.equal(html.match(/<div>/g)?.length, 100);
  assert.match(html, /a(?:<\/div>){100}b$/);
});

test('a body with too many tags is shown as plain text', () => {
  const { html, text } = renderBody('<p>a &lt; b</p>\n\n<p>c</p>'.repeat(20_000), '');
  assert.match(html, /^<p>a &amp;lt; b<\/p>\n<p>c/);
  assert.match(text, /^a &lt; b c/);
  assert.match(
    renderBody('*a* <script>alert(1)</script>\n\n'.repeat(20_000), 'markdown_format').html,
    /^<p>\*a\* +alert\(1\)<\/p>\n/,
  );
});

test('of a body that is too long, the beginning is shown with an ellipsis', () => {
  const { html } = renderBody(`<p>${'& '.repeat(1_000_001)}</p>`, '');
  assert.match(html, /^<p>&amp; &amp; /);
  assert.ok(html.endsWith('&amp;</p>\n<p>…</p>'));
  assert.ok(html.length < 3_100_000);
});

test('a body does not count as too long because of images in the text itself', () => {
  const image = `data:image/png;base64,${'A'.repeat(600_000)}`;
  assert.ok(renderBody(`<p>a</p><img src="${image}">`, '').html.includes(image));
  assert.ok(renderBody(`![a](${image})`, 'markdown_format').html.includes(image));
});
