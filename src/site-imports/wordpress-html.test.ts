import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wordPressHtml } from './wordpress-html.ts';

function convert(content: string) {
  const notes: string[] = [];
  const html = wordPressHtml(content, {
    linkTo: (href) => href.replace('https://old.example', ''),
    imageAt: (src) => src.replace('https://old.example', '/new'),
    note: (code, value) => notes.push(`${code} ${value}`.trim()),
  });
  return { html, notes };
}

const html = (content: string) => convert(content).html;

describe('a text of WordPress', () => {
  test('line breaks of WordPress’s older editor become paragraphs and lines', () => {
    assert.equal(
      html('One <b>line</b>\nand another\r\n\r\n  \nNext & last\n\n\n'),
      '<p>One <b>line</b><br>\nand another</p>\n<p>Next &amp; last</p>',
    );
    assert.equal(html('Before\n<h2>Title</h2>\nAfter'), '<p>Before</p>\n<h2>Title</h2>\n<p>After</p>');
    assert.equal(
      html('<blockquote>Said\n\nand done</blockquote>'),
      '<blockquote>\n<p>Said</p>\n<p>and done</p>\n</blockquote>',
    );
    assert.equal(html('<pre>a\n\nb</pre>'), '<pre>a\n\nb</pre>');
  });

  test('texts of the block editor lose comments, layout boxes and classes, and keep their alignment', () => {
    const blocks = `<!-- wp:group {"layout":{"type":"constrained"}} -->
<div class="wp-block-group"><!-- wp:paragraph {"align":"center"} -->
<p class="has-text-align-center has-large-font-size" style="font-size:2em">Welcome</p>
<!-- /wp:paragraph -->

<!-- wp:list -->
<ul class="wp-block-list"><!-- wp:list-item -->
<li>Bread</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>Rolls</li>
<!-- /wp:list-item --></ul>
<!-- /wp:list --></div>
<!-- /wp:group -->`;
    assert.equal(html(blocks), '<p class="align-center">Welcome</p>\n<ul>\n<li>Bread</li>\n<li>Rolls</li>\n</ul>');
  });

  test('images of WordPress keep their captions, sizes and sides', () => {
    assert.equal(
      html(
        '<!-- wp:image --><figure class="wp-block-image alignwide size-large"><img src="https://old.example/a.jpg" alt="A loaf" class="wp-image-7" srcset="b.jpg 2x"><figcaption class="wp-element-caption">Rye</figcaption></figure><!-- /wp:image -->',
      ),
      '<figure class="image-wide"><img src="/new/a.jpg" alt="A loaf"><figcaption>Rye</figcaption></figure>',
    );
    assert.equal(
      html(
        '[caption id="attachment_5" align="alignleft" width="300"]<a href="https://old.example/big.jpg"><img src="https://old.example/a.jpg" alt="" width="300" height="200" /></a> Our <em>oven</em>[/caption]',
      ),
      '<figure><a href="/big.jpg"><img src="/new/a.jpg" alt="" width="300" height="200"></a><figcaption>Our <em>oven</em></figcaption></figure>',
    );
    assert.equal(
      html('<img class="alignright size-medium" src="a.jpg">'),
      '<p><img src="a.jpg" class="float-right"></p>',
    );
  });

  test('galleries in the form of lists become figures, and lists without items are removed', () => {
    const item = (name: string) =>
      `<li class="blocks-gallery-item"><figure><img src="${name}.jpg" alt=""><figcaption>${name}</figcaption></figure></li>`;
    const figures = ['Oven', 'Shop'].map(
      (name) => `<figure><img src="${name}.jpg" alt=""><figcaption>${name}</figcaption></figure>`,
    );
    const list = `<ul class="blocks-gallery-grid">\n${item('Oven')}${item('Shop')}</ul>`;
    assert.equal(
      html(
        `<!-- wp:gallery --><figure class="wp-block-gallery columns-2">${list}<figcaption>Our bakery</figcaption></figure><!-- /wp:gallery -->`,
      ),
      [...figures, '<p>Our bakery</p>'].join('\n'),
    );
    assert.equal(html(list.replace('blocks-gallery-grid', 'wp-block-gallery columns-2')), figures.join('\n'));
    assert.equal(html('<ul class="wp-block-social-links"><!-- wp:social-link {"url":"#"} /-->\n\n</ul>'), '');
  });

  test('the caption of a video becomes a paragraph', () => {
    const figure =
      '<!-- wp:embed --><figure class="wp-block-embed"><div>\nhttps://other.example/a\n</div><figcaption>Seen <em>here</em><br></figcaption></figure><!-- /wp:embed -->';
    assert.equal(
      html(figure),
      '<p><a href="https://other.example/a">https://other.example/a</a></p>\n<p>Seen <em>here</em></p>',
    );
  });

  test('an address alone becomes a video if it is one, and otherwise a link', () => {
    const frame =
      '<iframe src="https://www.youtube-nocookie.com/embed/SQEQr7c0-dw" title="YouTube video" width="560" height="315"></iframe>';
    const address = 'https://www.youtube.com/watch?v=SQEQr7c0-dw';
    for (const content of [
      address,
      `[embed width="1"]${address}[/embed]`,
      `<!-- wp:embed --><figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${address}\n</div></figure><!-- /wp:embed -->`,
    ]) {
      assert.equal(html(content), frame, content);
    }
    assert.equal(
      html('https://other.example/a?b=1&c=2'),
      '<p><a href="https://other.example/a?b=1&amp;c=2">https://other.example/a?b=1&amp;c=2</a></p>',
    );
  });

  test('shortcodes, forms and scripts are reported, and other words in brackets stay', () => {
    const { html, notes } = convert(
      'He said so [sic]. [contact-form-7 id="1"] [gallery]<script>alert(1)</script><form>Name</form>',
    );
    assert.equal(html, '<p>He said so [sic]. [contact-form-7 id="1"] [gallery]</p>\n<p>Name</p>');
    assert.deepEqual(notes, ['shortcode contact-form-7', 'shortcode gallery', 'form_or_script script']);
  });

  test('blocks that only WordPress can fill are reported', () => {
    const { html, notes } = convert(
      '<!-- wp:latest-posts {"order":"asc"} /-->\n<!-- wp:jetpack/map /--><!-- wp:paragraph --><p>After</p><!-- /wp:paragraph --><!--more-->',
    );
    assert.equal(html, '<p>After</p>');
    assert.deepEqual(notes, ['block latest-posts', 'block jetpack/map']);
  });

  test('converting a hostile text takes time in proportion to its length', () => {
    const count = 50_000;
    for (const part of [
      '[caption',
      '[caption]',
      '<!--',
      '<div>',
      '[a b=',
      '<b>',
      '\n \n',
      '<p>',
      '[embed]x',
      '[/caption]',
    ]) {
      assert.equal(typeof html(part.repeat(count)), 'string', part);
    }
    const { notes } = convert('<div>'.repeat(count));
    assert.deepEqual(notes, ['kept_as_html']);
  });
});
