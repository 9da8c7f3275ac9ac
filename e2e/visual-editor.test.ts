import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { figureHtml } from '../admin/src/screens/editor/images/image-markup.ts';
import { forShortLives, launchBrowser } from '../test/browser.ts';

/* The visual editor by itself in a real browser, with thousands of random texts and steps per call (visual-editor.js). */

interface Result {
  readonly runs: number;
  readonly seed: number;
  readonly failure: string | null;
}

/** Fixed, so that each run tries the same cases. Another seed finds other cases. */
const SEED = 1;

suite('the visual editor', () => {
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  before(async () => {
    const [script] = await Promise.all([bundle(), launchBrowser(forShortLives).then((one) => (browser = one))]);
    page = await browser.newPage();
    page.on('pageerror', ({ message }) => errors.push(message));
    // Nothing that the opened texts refer to is loaded.
    await page.route('**', (route) => route.abort());
    await page.setContent('<!doctype html><html lang="en"><body></body></html>');
    await page.addScriptTag({ content: script });
  });

  after(async () => {
    await browser?.close();
    assert.deepEqual(errors, []);
  });

  const check = async (property: string, runs: number) => {
    const { failure } = await page.evaluate<Result>(`visual.${property}(${runs}, ${SEED})`);
    assert.equal(failure, null);
  };
  const kindsOf = (body: string) => page.evaluate<string[]>(`visual.kinds(${JSON.stringify(body)})`);
  const rewrite = (body: string, block: number) =>
    page.evaluate<string>(`visual.rewrite(${JSON.stringify(body)}, ${block})`);

  test('a text after any sequence of typing, formatting, pasting and undoing opens again unchanged', () =>
    check('editing', 150));

  test('a body written elsewhere keeps its bytes until it is changed, and again once the change is undone', () =>
    check('editingForeign', 100));

  test('a body opens whatever names and ids its elements have', () => check('clobbering', 150));

  test('formatted text with a space at the end of its block is edited as text', async () => {
    for (const name of ['strong', 'em', 's', 'u', 'code', 'a href="/x"', 'sup', 'small']) {
      for (const block of ['p', 'h2', 'li', 'td', 'blockquote']) {
        const line = `<${block}>One <${name}>two </${name.split(' ')[0]}></${block}>`;
        const around = { li: ['<ul>', '</ul>'], td: ['<table><tbody><tr>', '</tr></tbody></table>'] }[block] ?? [
          '',
          '',
        ];
        const kinds = await kindsOf(around.join(line));
        assert.ok(kinds.length === 1 && kinds[0] !== 'htmlBlock', `${line}: ${kinds}`);
      }
    }
  });

  test('a list item without text keeps the list inside it', async () => {
    const written = await rewrite('<ul><li><p></p><ul><li>b</li></ul></li></ul>', 0);
    assert.match(written, /<li>bx<\/li>/);
    assert.deepEqual(await kindsOf(written), ['bulletList']);
  });

  test('common inline markup from elsewhere is edited as a paragraph', async () => {
    const lines = [
      'bare text',
      '<img src="/a.png" alt="">',
      'x<sup>2</sup>',
      '<p>a <small>b</small> <mark>c</mark> <span style="color:#F00;mso-x:1">d</span></p>',
      '<p><em><strong>x</strong></em> <a href="/x"><code>y</code></a></p>',
      '<p style="color:#F00;mso-x:1">x</p>',
      '<!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:paragraph -->\n',
      '<!doctype html><html><head><title>T</title></head><body bgcolor="red"><p>x</p></body></html>',
    ];
    for (const line of lines) {
      assert.deepEqual(await kindsOf(line), ['paragraph'], line);
      const written = await rewrite(line, 0);
      assert.deepEqual(await kindsOf(written), ['paragraph'], written);
    }
    assert.deepEqual(await kindsOf('text\n<p>One</p>\n<b>more</b> text\n<hr>'), [
      ...['paragraph', 'paragraph', 'paragraph', 'horizontalRule'],
    ]);
    assert.equal(await rewrite(lines[5]!, 0), '<p style="color:#F00;mso-x:1">xx</p>');
    assert.equal(await rewrite(lines[6]!, 0), lines[6]!.replace('>x<', '>xx<'));
    assert.equal(await rewrite(lines[7]!, 0), lines[7]!.replace('>x<', '>xx<'));
  });

  test('each part that the editor does not know becomes an HTML block, and the rest is edited', async () => {
    const parts = [
      '<div class="a">x</div>',
      '<figure><img src="a"><img src="b"></figure>',
      '<figure><figcaption>Above</figcaption><img src="a"></figure>',
      '<dl><dt>a<dd>b</dl>',
      '<video></video>',
    ];
    for (const part of parts) {
      const body = `<P>One</P>\r\n${part}\n<p>Two\n\n<UL><li>Three</UL>\n`;
      assert.deepEqual(await kindsOf(body), ['paragraph', 'htmlBlock', 'paragraph', 'bulletList'], part);
      assert.equal(await rewrite(body, 2), body.replace('<p>Two\n\n', '<p>Twox</p>\n'));
    }
  });

  test('a figure with an image from any editor can be edited, and keeps its bytes until it is', async () => {
    const figures = [
      '<figure><img src="a"></figure>',
      '<FIGURE class="image-wide mine" id=f>\n<a href="/x" target=_blank><img alt="A" src=a></a>\n<figcaption>One <b>two</b></FIGCAPTION></figure>',
      '<!-- wp:image {"id":7} -->\n<figure class="wp-block-image alignwide"><img src="/a.png" alt="" class="wp-image-7" style="width:300px"/><figcaption class="wp-element-caption">x</figcaption></figure>\n<!-- /wp:image -->',
      '<figure><img src="a"><figcaption class="b"> </figcaption></figure>',
      '<figure class="kg-card kg-width-full"><img src="/g.png" srcset="/g-2.png 2x" loading="lazy"></figure>',
    ];
    for (const figure of figures) {
      const body = `<p>One</p>\n${figure}\n<p>Two</p>`;
      assert.deepEqual(await kindsOf(body), ['paragraph', 'figure', 'paragraph'], figure);
      assert.equal(await rewrite(body, 2), body.replace('Two', 'Twox'));
    }
    assert.equal(await rewrite(figures[0]!, 0), '<figure><img src="a"><figcaption>x</figcaption></figure>');
    assert.equal(await rewrite(figures[2]!, 0), figures[2]!.replace('>x<', '>xx<').replace('"/>', '">'));
  });

  test('source editors write a figure in the same form as the visual editor', async () => {
    const image = { src: '/media/a.webp', alt: 'A "B"', width: 3, height: 2 };
    for (const figure of [{ size: 'wide' }, { size: 'small', caption: 'x & y' }, { caption: '<b>' }] as const) {
      const written = figureHtml({ ...image, ...figure })!;
      assert.deepEqual(await kindsOf(written), ['figure'], written);
      assert.equal(await rewrite(`<p>One</p>\n${written}`, 0), `<p>Onex</p>\n${written}`);
    }
    assert.equal(figureHtml({ ...image, size: 'normal', caption: '' }), undefined);
  });

  test('an end tag that ends nothing leaves the blocks around it as they are', async () => {
    for (const line of ['text</a>', '<p>One</p>text</b>', 'text</a> ', '<b>x</b> text</i>\n']) {
      for (const [block, kind] of [
        ['<p>Two</p>', 'paragraph'],
        ['<hr>', 'horizontalRule'],
        ['\n<div class="a">Two</div>', 'htmlBlock'],
      ] as const) {
        const [first, ...others] = await kindsOf(line + block);
        assert.equal(first, 'paragraph', line + block);
        assert.equal(others.at(-1), kind, line + block);
      }
    }
    const body = '<p>One</p>text</a>\n<h2>Two</h2>';
    assert.deepEqual(await kindsOf(body), ['paragraph', 'paragraph', 'heading']);
    assert.equal(await rewrite(body, 0), '<p>Onex</p>\ntext</a>\n<h2>Two</h2>');
    assert.equal(await rewrite(body, 1), '<p>One</p>\n<p>textx</p>\n<h2>Two</h2>');
  });

  test('an HTML block that contains only text can be converted to ordinary text', async () => {
    const asText = (body: string) => page.evaluate<string>(`visual.makeText(${JSON.stringify(body)})`);
    assert.equal(
      await asText('<p>One</p>\n<div class="a">Two <b>three</b></div>\n<p>Four</p>'),
      [...['<p>One</p>', '<p>Two <strong>three</strong></p>', '<p>Four</p>']].join('\n'),
    );
    assert.equal(
      await asText('<!-- c --><section data-x="1"><h2 style="color:red">Two</h2><div>three</div></section>'),
      '<!-- c --><h2>Two</h2>\n<p>three</p>',
    );
    assert.equal(await asText('<div><img src="a.png"> with an image</div>'), 'not offered');
    assert.equal(await asText('<div><!-- nothing --></div>'), 'not offered');
  });

  test('an inline image becomes a figure with its link, without changing the text around it', async () => {
    const lay = (body: string, layout: object, caption = '') =>
      page.evaluate<string>(`visual.lay(${JSON.stringify(body)}, ${JSON.stringify(layout)}, '${caption}')`);
    assert.equal(
      await lay(
        '<h2>A</h2><p>One <a href="/x"><img src="a.png" alt="A" class="mine"></a> two</p>',
        { size: 'wide' },
        'C',
      ),
      '<h2>A</h2>\n<p>One </p>\n<figure class="image-wide"><a href="/x"><img src="a.png" alt="A" class="mine"></a><figcaption>C</figcaption></figure>\n<p> two</p>',
    );
    const image = '<img src="a.png" alt="A" width="3" height="2">';
    assert.equal(
      await lay(`<p>${image}</p>`, { size: 'small', side: 'right' }),
      `<figure class="image-small float-right">${image}</figure>`,
    );
    assert.equal(
      await lay(`<figure class="alignwide mine">${image}</figure>`, { size: 'normal', side: 'center' }),
      `<figure class="align-center mine">${image}</figure>`,
    );
    assert.equal(
      await lay(`<p>${image}</p>`, { size: 'full', side: 'left' }),
      `<figure class="image-full">${image}</figure>`,
    );
  });

  test('an inserted image gets a paragraph of its own, and typing continues behind it', async () => {
    const image = '<img src="/a.webp">';
    for (const [body, wanted] of [
      ['<p>One|</p>', `<p>One</p>\n<p>${image}</p>\n<p>*</p>`],
      ['<p>|</p>', `<p>${image}</p>\n<p>*</p>`],
      ['<p>|One</p>', `<p>${image}</p>\n<p>*</p>\n<p>One</p>`],
      [
        '<p class="a" id="b">One|two</p>',
        `<p class="a" id="b">One</p>\n<p>${image}</p>\n<p>*</p>\n<p class="a">two</p>`,
      ],
      ['<p>One| two</p>', `<p>One</p>\n<p>${image}</p>\n<p>*</p>\n<p>two</p>`],
      ['<p>One|</p><p>Two</p>', `<p>One</p>\n<p>${image}</p>\n<p>*</p>\n<p>Two</p>`],
      ['<p>One|</p><hr>', `<p>One</p>\n<p>${image}</p>\n<p>*</p>\n<hr>`],
      ['<h2>One|</h2>', `<h2>One</h2>\n<p>${image}</p>\n<p>*</p>`],
      ['<h2>|</h2>', `<p>${image}</p>\n<p>*</p>`],
      ['<ul><li>One|</li><li>Two</li></ul>', `<ul><li><p>One</p><p>${image}</p><p>*</p></li><li>Two</li></ul>`],
      ['<pre><code>One| two</code></pre>', `<pre><code>One two</code></pre>\n<p>${image}</p>\n<p>*</p>`],
      [
        '<figure><img src="b"><figcaption>One|two</figcaption></figure>',
        `<figure><img src="b"><figcaption>Onetwo</figcaption></figure>\n<p>${image}</p>\n<p>*</p>`,
      ],
      [
        '<!-- a --><p>One|two</p><!-- b --><p>Three</p>',
        `<!-- a --><p>One</p>\n<p>${image}</p>\n<p>*</p>\n<p>two</p><!-- b --><p>Three</p>`,
      ],
      [
        '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox"> |One</li></ul>',
        `<ul class="contains-task-list"><li class="task-list-item"><p><input type="checkbox"> One</p><p>${image}</p><p>*</p></li></ul>`,
      ],
    ] as const) {
      assert.equal(await page.evaluate(`visual.insertImage(${JSON.stringify(body)})`), wanted, body);
    }
  });

  test('an unclosed element never swallows the text after it', async () => {
    assert.equal(await rewrite('<p>One</p>text<div>open', 0), '<p>Onex</p>\ntext<div>open');
    const moved = await page.evaluate<string>(`visual.moveFirst('<div>open', '<p>One</p>')`);
    assert.equal(moved, '<div>open</div>\n<p>One</p>');
    assert.deepEqual(await kindsOf(moved), ['htmlBlock', 'paragraph']);
  });
});

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, 'visual-editor.js'), formats: ['iife'], name: 'visualEditor' },
    },
  });
  const [{ output }] = built as [Rolldown.RolldownOutput];
  return output[0].code;
}
