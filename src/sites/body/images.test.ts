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

test('sizes are kept where they are numbers of pixels', () => {
  assert.match(render('<img src="a.png" width="300px" height="50%">'), /width="300" fetch/);
});

test('other sizes of an image are kept, each once and of one kind', () => {
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

test('images in the address itself are images of pixels', () => {
  assert.match(render('<img src="data:image/webp;base64,AA AA">'), /src="data:image\/webp;base64,AAAA"/);
  assert.equal(render('<img src="data:image/svg+xml;base64,AAAA">'), '');
  assert.equal(render('<a href="data:image/png;base64,AAAA">a</a>'), 'a');
});
