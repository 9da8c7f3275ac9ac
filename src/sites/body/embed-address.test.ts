import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBody } from '../render-body.ts';
import { embedHosts, embedOf, webUrl } from './embed-address.ts';

const id = 'dQw4w9WgXcQ';
const youtube = `https://www.youtube-nocookie.com/embed/${id}`;
const vimeo = 'https://player.vimeo.com/video/76979871';
const osm = 'https://www.openstreetmap.org/export/embed.html';

/** The addresses that people copy, and the addresses of the frames for them. */
const embeddable: readonly (readonly [address: string, src: string])[] = [
  [`https://www.youtube.com/watch?v=${id}`, youtube],
  [`https://m.youtube.com/watch?app=desktop&v=${id}`, youtube],
  [`http://youtube.com/watch?v=${id}&feature=share`, youtube],
  [`https://www.youtube.com/watch?v=${id}&t=90`, `${youtube}?start=90`],
  [`https://www.youtube.com/watch?v=${id}&t=1h2m3s`, `${youtube}?start=3723`],
  [`https://www.youtube.com/watch?v=${id}&t=soon`, youtube],
  [`https://www.youtube.com/watch?v=${id}&list=PL1`, `${youtube}?list=PL1`],
  [`https://www.youtube.com/watch?v=${id}&list=PL1&t=90&end=99`, `${youtube}?start=90&end=99&list=PL1`],
  [`https://youtu.be/${id}`, youtube],
  [`https://youtu.be/${id}?si=abc&t=42`, `${youtube}?start=42`],
  [`https://www.youtube.com/shorts/${id}`, youtube],
  [`https://www.youtube.com/live/${id}?feature=share`, youtube],
  [`https://www.youtube.com/embed/${id}?start=5&autoplay=1`, `${youtube}?start=5`],
  [`${youtube}?start=5`, `${youtube}?start=5`],
  [`//www.youtube.com/embed/${id}`, youtube],
  ['https://vimeo.com/76979871', `${vimeo}?dnt=1`],
  ['https://vimeo.com/76979871/0a1b2c3d4e?share=copy', `${vimeo}?h=0a1b2c3d4e&dnt=1`],
  ['https://vimeo.com/76979871/0a1b2c?color=ff9933&title=0', `${vimeo}?h=0a1b2c&color=ff9933&title=0&dnt=1`],
  ['https://vimeo.com/channels/staffpicks/76979871', `${vimeo}?dnt=1`],
  [`${vimeo}?h=0a1b2c&badge=0&autopause=0&player_id=0&app_id=58479`, `${vimeo}?h=0a1b2c&dnt=1`],
  [
    'https://www.openstreetmap.org/#map=15/48.2082/16.3738',
    `${osm}?bbox=16.360925%2C48.201765%2C16.386675%2C48.214635&layer=mapnik`,
  ],
  [
    'https://www.openstreetmap.org/?mlat=48.2082&mlon=16.3738#map=15/48.2082/16.3738&layers=N',
    `${osm}?bbox=16.360925%2C48.201765%2C16.386675%2C48.214635&layer=mapnik&marker=48.2082%2C16.3738`,
  ],
  [
    'https://www.openstreetmap.org/node/17328659#map=3/-20.5/-140',
    `${osm}?bbox=-192.734375%2C-57.546117%2C-87.265625%2C16.546117&layer=mapnik`,
  ],
  [
    'https://www.openstreetmap.org/#map=2/0/0',
    `${osm}?bbox=-105.468750%2C-79.101563%2C105.468750%2C79.101563&layer=mapnik`,
  ],
  [
    'https://www.openstreetmap.org/#map=1/0/0',
    `${osm}?bbox=-210.937500%2C-85.000000%2C210.937500%2C85.000000&layer=mapnik`,
  ],
  [`${osm}?bbox=1%2C2%2C3%2C4&layer=mapnik&more=1`, `${osm}?bbox=1%2C2%2C3%2C4&layer=mapnik`],
  ['https://www.google.com/maps/embed?pb=!1m18!1m12', 'https://www.google.com/maps/embed?pb=%211m18%211m12'],
  ['https://www.google.com/maps/d/embed?mid=1AbC', 'https://www.google.com/maps/d/embed?mid=1AbC'],
  ['https://maps.google.com/maps?q=Rome&output=embed', 'https://www.google.com/maps?q=Rome&output=embed'],
];

const notEmbeddable = [
  '',
  'Rome',
  'youtube',
  `javascript:alert('youtube.com/embed/${id}')`,
  `data:text/html,https://youtu.be/${id}`,
  `ftp://www.youtube.com/embed/${id}`,
  'https://example.com/',
  `https://example.com/embed/${id}`,
  `https://example.com/?https://youtu.be/${id}`,
  'https://www.youtube.com/',
  'https://www.youtube.com/@somebody',
  'https://www.youtube.com/watch?v=',
  'https://www.youtube.com/watch?v=a/../b?',
  `https://www.youtube.com/watch/${id}`,
  'https://youtu.be/',
  `https://www.youtube.com:444/embed/${id}`,
  `https://somebody@www.youtube.com/embed/${id}`,
  `https://www.youtube.com.example/embed/${id}`,
  `https://www.youtube.com./embed/${id}`,
  `https://notyoutube.com/watch?v=${id}`,
  'https://vimeo.com/',
  'https://vimeo.com/staffpicks',
  'https://vimeo.com/76979871/settings',
  'https://player.vimeo.com/external/76979871.mp4',
  'https://www.openstreetmap.org/',
  'https://www.openstreetmap.org/directions#map=15/48.2/16.3',
  'https://www.openstreetmap.org/user/somebody#map=15/48.2/16.3',
  'https://www.openstreetmap.org/#map=15/99.5/16.3',
  'https://www.openstreetmap.org/#map=21/48.2/16.3',
  'https://www.openstreetmap.org/#map=15/48.2/181',
  'https://www.openstreetmap.org/#map=x/y/z',
  'https://www.google.com/maps/place/Rome',
  'https://www.google.com/maps/@41.9,12.5,15z',
  'https://www.google.com/maps?q=Rome',
  'https://www.google.com/url?q=https://example.com/',
  'https://maps.app.goo.gl/AbCdEf',
];

const srcOf = (address: string) => {
  const url = webUrl(address);
  return url && embedOf(url)?.src;
};

test('addresses of videos and maps, as people copy them, become those of their frames', () => {
  for (const [address, src] of embeddable) assert.equal(srcOf(address), src, address);
});

test('addresses that are not of an embeddable video or map give no frame', () => {
  for (const address of notEmbeddable) assert.equal(srcOf(address), undefined, address);
});

test('an embed’s URL is on an allowed host, and stays the same when it is parsed again', () => {
  for (const [, src] of embeddable) {
    assert.ok(embedHosts.some((host) => src.startsWith(`https://${host}/`)));
    assert.equal(srcOf(src), src);
    const escaped = src.replaceAll('&', '&amp;');
    assert.ok(
      renderBody(`<iframe src="${escaped}"></iframe>`, '').html.includes(`<iframe src="${escaped}" title="`),
      src,
    );
  }
});
