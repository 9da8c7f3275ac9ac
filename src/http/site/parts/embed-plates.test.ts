import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as views from '../../../../test/site-views.ts';
import { renderBody } from '../../../sites/render-body.ts';
import { themes } from '../../../sites/site.ts';
import { renderDocument } from '../document.ts';

const frames = [
  [
    'https://youtu.be/dQw4w9WgXcQ?t=5',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=5&autoplay=1',
    'YouTube (Google)',
  ],
  ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?dnt=1&autoplay=1', 'Vimeo'],
  [
    'https://www.openstreetmap.org/export/embed.html?bbox=1%2C2%2C3%2C4',
    'https://www.openstreetmap.org/export/embed.html?bbox=1%2C2%2C3%2C4',
    'OpenStreetMap',
  ],
  ['https://www.google.com/maps/embed?pb=x', 'https://www.google.com/maps/embed?pb=x', 'Google'],
] as const;

const decode = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

test('videos and maps load nothing from other hosts until a visitor clicks, and name the company', () => {
  for (const theme of themes) {
    for (const [address, target, company] of frames) {
      const body = renderBody(`<p>x</p><iframe src="${address}" title="Our &quot;film&quot; &amp; more"></iframe>`, '');
      const page = renderDocument({ ...views.bare, bodyHtml: body.html, site: { ...views.bare.site, theme } });
      const frame = /<iframe [^>]*>/.exec(page)![0];
      assert.doesNotMatch(frame, / src=/);
      assert.match(frame, / title="Our &quot;film&quot; &amp; more"/);
      const plate = decode(/srcdoc="([^"]*)"/.exec(frame)![1]!);
      assert.equal(decode(/<a href="([^"]*)"/.exec(plate)![1]!), target);
      assert.ok(plate.includes(`This connects you to ${company}.`), plate);
      assert.ok(plate.includes('Our &quot;film&quot; &amp; more'), plate);
    }
  }
});

test('a page with hundreds of videos loads nothing from other hosts, and stays short', () => {
  const { html } = renderBody('<iframe src="https://youtu.be/dQw4w9WgXcQ" title="A &amp; B"></iframe>'.repeat(300), '');
  const page = renderDocument({ ...views.bare, bodyHtml: html });
  const frames = [...page.matchAll(/<iframe ([^>]*)>/g)].map(([, attributes]) => attributes!);
  assert.equal(frames.length, 300);
  for (const frame of frames) assert.doesNotMatch(frame, / src=/);
  const plate = decode(/srcdoc="([^"]*)"/.exec(frames.at(-1)!)![1]!);
  const address = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ';
  assert.equal(plate, `<!DOCTYPE html><title>A &amp; B</title><a href="${address}">A &amp; B</a>`);
  assert.match(decode(/srcdoc="([^"]*)"/.exec(frames[0]!)![1]!), /rel="stylesheet"/);
});
