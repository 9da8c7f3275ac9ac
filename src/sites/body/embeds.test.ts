import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBody } from '../render-body.ts';

const render = (src: string, more = '') =>
  renderBody(`<iframe src="${src.replaceAll('&', '&amp;')}" ${more}></iframe>`, '').html.replaceAll('&amp;', '&');
const srcOf = (src: string) => /<iframe src="([^"]*)"/.exec(render(src))?.[1];

test('videos of YouTube play without cookies, whatever form their address has', () => {
  const id = 'dQw4w9WgXcQ';
  const addresses = [
    ...[`https://www.youtube.com/watch?v=${id}`, `http://youtube.com/watch?feature=x&v=${id}`, `//youtu.be/${id}?si=x`],
    ...[`https://www.youtube.com/embed/${id}?autoplay=1`, `https://m.youtube.com/watch?v=${id}`],
    ...[`https://www.youtube-nocookie.com/embed/${id}`, `https://www.youtube.com/shorts/${id}`],
  ];
  for (const address of addresses) assert.equal(srcOf(address), `https://www.youtube-nocookie.com/embed/${id}`);
  assert.equal(srcOf(`https://youtu.be/${id}?t=1m5s`), `https://www.youtube-nocookie.com/embed/${id}?start=65`);
});

test('videos of Vimeo play without tracking', () => {
  assert.equal(
    srcOf('https://player.vimeo.com/video/123?h=abc&autoplay=1'),
    'https://player.vimeo.com/video/123?h=abc&dnt=1',
  );
  assert.equal(srcOf('https://vimeo.com/123/abc'), 'https://player.vimeo.com/video/123?h=abc&dnt=1');
});

test('maps of OpenStreetMap and Google are embedded', () => {
  const map = 'https://www.openstreetmap.org/export/embed.html?bbox=1%2C2%2C3%2C4&layer=mapnik';
  assert.equal(srcOf(`${map}&evil=1`), map);
  assert.equal(
    srcOf('https://www.google.com/maps/embed?pb=!1m18!2s'),
    'https://www.google.com/maps/embed?pb=%211m18%212s',
  );
  assert.equal(
    srcOf('https://maps.google.com/maps?q=Rome&output=embed'),
    'https://www.google.com/maps?q=Rome&output=embed',
  );
});

test('an embedded frame is lazy, has a title and a size, and few permissions', () => {
  assert.equal(
    render('https://www.youtube.com/embed/dQw4w9WgXcQ', 'width="640" height="360px" onload="alert(1)" allow="camera"'),
    '<div class="embed"><iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" title="YouTube video" ' +
      'width="640" height="360" loading="lazy" referrerpolicy="strict-origin-when-cross-origin" ' +
      'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation" ' +
      'allow="autoplay https://www.youtube-nocookie.com; encrypted-media https://www.youtube-nocookie.com; ' +
      'picture-in-picture https://www.youtube-nocookie.com" allowfullscreen></iframe></div>',
  );
  assert.match(
    render('https://www.youtube.com/embed/dQw4w9WgXcQ', 'title="Our film" width="100%"'),
    /title="Our film" width="560" height="315"/,
  );
});

test('a frame that is not allowed becomes a link to its target', () => {
  assert.equal(
    render('https://example.com/calendar?a=1', 'title="Our calendar"'),
    '<p><a href="https://example.com/calendar?a=1" rel="noopener">Our calendar</a></p>',
  );
  assert.equal(render('/local'), '');
});

test('a host that only resembles an allowed one is not embedded', () => {
  const id = 'dQw4w9WgXcQ';
  for (const host of [
    'www.youtube.com.evil.example',
    'www.youtube.com@evil.example',
    'evil.example\\@www.youtube.com',
    'youtube.com:444',
    'www.youtube.com.',
    'evilyoutube.com',
    'user@www.youtube.com',
  ]) {
    assert.equal(srcOf(`https://${host}/embed/${id}`), undefined, host);
  }
});
