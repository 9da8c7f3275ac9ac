import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBody } from '../render-body.ts';

const render = (body: string) => renderBody(body, '').html;

test('the first image near the start is loaded at once, the others when they come into view', () => {
  assert.equal(
    render('<p>a</p><img src="a.png" alt="A"><img src="b.png" width="30" height="20">'),
    '<p>a</p><img src="a.png" alt="A" fetchpriority="high">' +
      '<img src="b.png" alt="" width="30" height="20" loading="lazy" decoding="async">',
  );
  assert.match(render(`<p>${'a '.repeat(400)}</p><img src="a.png">`), /loading="lazy"/);
});

test('widths and heights of images are kept if they are numbers of pixels', () => {
  assert.match(render('<img src="a.png" width="300px" height="50%">'), /width="300" fetch/);
});

test('valid candidates of a srcset are kept, each descriptor once and only of one kind', () => {
  assert.match(
    render('<img src="a.png" srcset="a.png 1x, javascript:x 2x, b.png 2x, c.png 400w, d.png 2x">'),
    /srcset="a\.png 1x, b\.png 2x" fetch/,
  );
  assert.match(
    render('<img src="a.png" srcset="a.png 400w, b.png 800w" sizes="(min-width: 600px) 50vw, 100vw">'),
    /srcset="a\.png 400w, b\.png 800w" sizes="\(min-width: 600px\) 50vw, 100vw"/,
  );
  assert.match(render('<img src="a.png" srcset="a.png 400w" sizes="expression(x)">'), /sizes="100vw"/);
});

test('images in the address itself are kept only if they are bitmaps', () => {
  assert.match(render('<img src="data:image/webp;base64,AA AA">'), /src="data:image\/webp;base64,AAAA"/);
  assert.equal(render('<img src="data:image/svg+xml;base64,AAAA">'), '');
  assert.equal(render('<a href="data:image/png;base64,AAAA">a</a>'), 'a');
});

const HASH = '0123456789abcdef0123456789abcdef';

test("the account's own images get all of their sizes, a width and a height", () => {
  assert.equal(
    render(`<p>a</p><img src="a.png"><img src="/media/${HASH}-1200x600.webp" alt="A">`).replaceAll(HASH, 'H'),
    '<p>a</p><img src="a.png" alt="" fetchpriority="high"><picture>' +
      '<source type="image/avif" srcset="/media/H-480x240.avif 480w, /media/H-960x480.avif 960w, /media/H-1200x600.avif 1200w"' +
      ' sizes="auto, (min-width: 800px) 800px, 100vw">' +
      '<img src="/media/H-1200x600.webp" alt="A" loading="lazy" decoding="async" width="1200" height="600"' +
      ' srcset="/media/H-480x240.webp 480w, /media/H-960x480.webp 960w, /media/H-1200x600.webp 1200w"' +
      ' sizes="auto, (min-width: 800px) 800px, 100vw"></picture>',
  );
});

test('a size that the body gives an image stays, and a missing side follows from the other', () => {
  const own = (attributes: string) => render(`<img src="/media/${HASH}-1200x600.webp"${attributes}>`);
  assert.match(own(' width="300"'), / width="300" .*height="150"/);
  assert.match(own(' height="300"'), / height="300" .*width="600"/);
  assert.match(own(' width="300" height="20"'), / width="300" height="20"/);
  assert.match(own(' style="width: 300px" class="alignleft"'), /class="float-left".* width="300" .*height="150"/);
  assert.match(own(' width="300"'), /sizes="\(min-width: 300px\) 300px, 100vw"/, 'the first image is not lazy');
});

test('an image in a figure is loaded in the size of the figure', () => {
  const sizesIn = (figure: string) => {
    const image = `<img src="/media/${HASH}-1200x600.webp">`;
    return /sizes="([^"]*)"/.exec(render(`<figure class="${figure}">${image}</figure>`))?.[1];
  };
  assert.equal(sizesIn(''), '(min-width: 800px) 800px, 100vw');
  assert.equal(sizesIn('image-small'), '(min-width: 320px) 320px, 100vw');
  assert.equal(sizesIn('image-wide'), '(min-width: 1600px) 1600px, 100vw');
  assert.equal(sizesIn('image-full'), '100vw');
});

test('images in Markdown and in links get all sizes; small and animated ones have one size', () => {
  const { html } = renderBody(`[![A *b*](/media/${HASH}-300x200.webp)](/a)`, 'markdown_format');
  assert.match(
    html,
    /^<p><a href="\/a"><picture><source .*300x200\.avif 300w".*<img .*alt="A b".*<\/picture><\/a><\/p>\n$/,
  );
  assert.doesNotMatch(html, /480w/);
  const moving = render(`<img src="/media/${HASH}-960x480-moving.webp">`);
  assert.match(moving, /^<img [^>]*width="960" height="480">$/);
});

test('images of other sites, and images with a srcset, get no other sizes', () => {
  for (const src of [`/media/${HASH}.webp`, `/media/${HASH}-0x0.webp`, `https://a.example/media/${HASH}-9x9.webp`]) {
    assert.doesNotMatch(render(`<img src="${src}">`), /picture/);
  }
  assert.doesNotMatch(render(`<img src="/media/${HASH}-900x600.webp" srcset="b.png 2x">`), /picture/);
  assert.doesNotMatch(
    render('<picture><source srcset="evil.svg" type="image/svg+xml"><img src="a.png"></picture>'),
    /source|picture/,
  );
});

test('in a body with very many images, those after the first 1,000 have one size', () => {
  const html = render(`<p>${`<img src="/media/${HASH}-300x200.webp">`.repeat(1500)}</p>`);
  assert.equal(html.split('<picture>').length - 1, 1000);
  assert.equal(html.split('width="300" height="200"').length - 1, 1500);
});
