import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { EditorState } from '@codemirror/state';
import { htmlImage, markdownImage } from '../admin/src/screens/editor/images/image-markup.ts';
import {
  imagesInHtml,
  imagesInMarkdown,
  type WrittenImage,
} from '../admin/src/screens/editor/images/written-images.ts';

/* Finding the images of a text, with their positions and alternative texts. */

const markdownOf = (doc: string) => EditorState.create({ doc, extensions: [markdown({ base: markdownLanguage })] });
const inMarkdown = (doc: string) => imagesInMarkdown(markdownOf(doc)).map(({ src, alt }) => [src, alt]);
const inHtml = (doc: string) => imagesInHtml(EditorState.create({ doc })).map(({ src, alt }) => [src, alt]);

/** Returns the text after every image without an alternative text gets `alt`, and every image gets `address`. */
function edited(doc: string, find: (state: EditorState) => WrittenImage[], alt: string, address: string): string {
  const state = markdownOf(doc);
  const described = state.update({
    changes: find(state).flatMap((one) => (one.alt === null ? [one.describe(alt)] : [])),
  });
  const places = new Map(find(described.state).map((one) => [one.address.from, one.address]));
  const changes = [...places.values()].map((place) => ({ ...place, insert: address }));
  return described.state.update({ changes }).state.doc.toString();
}

test('images are found in Markdown, including those with reference links and those in HTML', () => {
  const text = [
    '![A](https://a.example/1.png "Title") [![](<http://b.example/2>)](https://b.example/)',
    '![One][a] ![][A  b] ![a][] ![a] ![none][none]',
    'and <img alt="x" src="https://c.example/3?a=1&amp;b=2"> <IMG SRC=/media/x.webp>',
    '![https://x.example](/y.png)',
    '',
    '[a]: https://a.example/4.png "Title"',
    '[a b]: <https://a.example/5.png>',
    '[a]: https://a.example/never.png',
  ].join('\n');
  assert.deepEqual(inMarkdown(text), [
    ['https://a.example/1.png', 'A'],
    ['http://b.example/2', null],
    ['https://a.example/4.png', 'One'],
    ['https://a.example/5.png', null],
    ['https://a.example/4.png', 'a'],
    ['https://a.example/4.png', 'a'],
    ['https://c.example/3?a=1&b=2', 'x'],
    ['/media/x.webp', null],
    ['/y.png', 'https://x.example'],
  ]);
  assert.equal(
    edited(text, imagesInMarkdown, 'S[a]id', '/z'),
    text
      .replace('![](', '![S\\[a\\]id](')
      .replace('![][A', '![S\\[a\\]id][A')
      .replace('<IMG', '<IMG alt="S[a]id"')
      .replace(/(?<=[(<"=: ])(?:https?:\/\/[abc]\.example\/(?!never)[\d][^\s"<>)]*|\/media\/x.webp|\/y\.png)/g, '/z'),
  );
});

test('images in code, comments, links or escapes are ignored', () => {
  for (const text of [
    '`![](https://a.example/1.png)`',
    '```\n![](https://a.example/1.png)\n<img src="/a">\n```',
    '    ![](https://a.example/1.png)\n    <img src="/a">',
    '\\![](https://a.example/1.png)',
    '[A](https://a.example/1.png) https://a.example/2.png',
    '<!-- <img src="/a"> -->',
    '`<img src="/a">`',
    '<a href="/x">y</a> <image src="/a"> <img data-src="/a">',
  ]) {
    assert.deepEqual(inMarkdown(text), [], text);
  }
});

test('marking an image as decorative is written in Markdown, too, and read back', () => {
  const written = markdownImage({ src: '/a.webp', alt: '' });
  assert.deepEqual(inMarkdown(written), [['/a.webp', '']]);
  assert.deepEqual(inMarkdown(markdownImage({ src: '/a.webp', alt: null })), [['/a.webp', null]]);
  assert.equal(edited('x ![](/a.webp)', imagesInMarkdown, '', '/a.webp'), `x ${written}`);
});

test('images are found in HTML, with or without alternative texts', () => {
  const text =
    '<IMG\nSRC=https://b.example/2> <img alt src="/a"> <img alt=\'\' src="/b"/> <img src="" > <img alt="A src=x" src="/c">';
  assert.deepEqual(inHtml(text), [
    ['https://b.example/2', null],
    ['/a', ''],
    ['/b', ''],
    ['', null],
    ['/c', 'A src=x'],
  ]);
  assert.equal(edited('<img src="/a">', imagesInHtml, '"A" & b', '/z'), '<img alt="&#34;A&#34; &#38; b" src="/z">');
  for (const alt of [null, '', 'A "b"']) assert.equal(inHtml(htmlImage({ src: '/a', alt })).length, 1);
  assert.deepEqual(inHtml(htmlImage({ src: '/a', alt: null })), [['/a', null]]);
});

test('a long text is searched for images in one pass, even with unclosed constructs', () => {
  for (const sign of ['![', '<img ', '<img src="', '![](a) ', '[a]: b\n', '![a][b] ']) {
    assert.ok(inMarkdown(sign.repeat(1_000_000 / sign.length)).length <= 1000, sign);
    assert.ok(inHtml(sign.repeat(1_000_000 / sign.length)).length <= 1000, sign);
  }
});
