import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOfData, foreignImages } from '../admin/src/screens/editor/image-addresses.ts';

/* Which images a text has, and which of them are not the site's own. */

const addresses = (text: string) => foreignImages(text).map(({ src }) => src);

test('images on other hosts are found in Markdown and in HTML, each where its address stands', () => {
  const text =
    '![A](https://a.example/1.png) [![](<http://b.example/2>)](https://b.example/) <img alt="x" src="https://c.example/3?a=1&amp;b=2">';
  const found = foreignImages(text);
  assert.deepEqual(
    found.map(({ from, to }) => text.slice(from, to)),
    ['https://a.example/1.png', 'http://b.example/2', 'https://c.example/3?a=1&amp;b=2'],
  );
  assert.equal(found[2]!.src, 'https://c.example/3?a=1&b=2', 'the address itself, and not how it is written');
  assert.deepEqual(addresses('![A](https://a.example/1.png "Title")\n<IMG\nSRC=https://b.example/2>'), [
    'https://a.example/1.png',
    'https://b.example/2',
  ]);
});

test('links, and images of one’s own, are none of them', () => {
  assert.deepEqual(addresses('[A](https://a.example/1.png) https://a.example/2.png ![B](/media/x.webp)'), []);
  assert.deepEqual(
    addresses('<a href="https://a.example/">x</a> <img src="/media/x.webp"> <img data-src="https://a">'),
    [],
  );
});

test('the bytes of an image in an address are a file, and drawings and what is damaged are none', async () => {
  const file = fileOfData('data:image/png;base64,iVBORw0KGgo=')!;
  assert.deepEqual([file.name, file.type], ['image.png', 'image/png']);
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from('iVBORw0KGgo=', 'base64'));
  assert.equal(fileOfData('data:image/JPEG;base64,%2F9j%2F')?.type, 'image/jpeg');
  for (const src of [
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:image/png;base64,*',
    'data:text/html;base64,QQ==',
    '/a.png',
    '',
  ]) {
    assert.equal(fileOfData(src), undefined, src);
  }
});

test('a long text is read once, whatever begins in it and does not end', () => {
  assert.deepEqual(addresses('!['.repeat(500_000)), []);
  assert.deepEqual(addresses(`![${'a'.repeat(20_000_000)}`), []);
  assert.deepEqual(addresses(`${'!['.repeat(3)}A](https://a.example/1.png)`), ['https://a.example/1.png']);
});
