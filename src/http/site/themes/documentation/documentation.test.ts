import assert from 'node:assert/strict';
import { test } from 'node:test';
import { article, bare, deep, extreme, home, placeholder, section } from '../../../../../test/site-views.ts';
import { stringsFor } from '../../strings.ts';
import type { PageView } from '../../view.ts';
import { documentation } from './theme.ts';

const strings = stringsFor('en');

function textOf(view: PageView): string {
  return documentation.body(view, strings).text;
}

function nextOf(view: PageView): string | undefined {
  return /rel="next" href="([^"]*)"><span/.exec(textOf(view))?.[1];
}

test('a small handbook shows its whole tree, and a large one only the branch of the current page', () => {
  const closed = (view: PageView) => textOf(view).match(/<details>\n<summary aria-label/g)?.length ?? 0;
  assert.equal(closed(home), 0);
  assert.equal(closed(extreme), 23);
});

test('the current page and its ancestors are marked in the tree', () => {
  const text = textOf(article);
  assert.match(text, /<a href="\/journal" aria-current="true">Journal<\/a>/);
  assert.match(text, /<a href="\/journal\/how-an-oak-frame-moves" aria-current="page">/);
});

test('a page with at least two headings lists them, with encoded ids', () => {
  assert.match(textOf(article), /<li class="deep"><a href="#figures">Figures<\/a>/);
  assert.doesNotMatch(textOf(deep), /class="toc"/);
  const headings = ['a b', 'ü'].map((id) => ({ level: 2 as const, id, text: id }));
  assert.match(textOf({ ...article, headings }), /href="#a%20b"[\s\S]*href="#%C3%BC"/);
});

test('the home page ends with the chapters and the first pages of each', () => {
  const [, chapters] = textOf(home).split('class="sub-pages chapters"');
  assert.match(chapters!, /href="\/timber-frames"[\s\S]*href="\/timber-frames\/oak-barns"[\s\S]*href="\/contact"/);
  assert.doesNotMatch(chapters!, /href="\/"/);
});

test('the next page is the first child, the next sibling, or the next sibling of an ancestor', () => {
  assert.equal(nextOf(section), '/timber-frames/oak-barns');
  assert.equal(nextOf(article), '/journal/raising-day');
  const last = {
    ...article,
    navigation: article.navigation.map((item) => ({ ...item, children: item.children.slice(0, 1) })),
  };
  assert.equal(nextOf(last), '/about');
});

test('there is no next page after the last, or if the navigation is cut off', () => {
  assert.equal(nextOf(bare), undefined);
  const cut = {
    ...article,
    navigation: article.navigation.map((item) => ({ ...item, children: item.children.slice(0, 1), hasMore: true })),
  };
  assert.equal(nextOf(cut), undefined);
  // A page that is not in the navigation, such as a hidden one.
  assert.equal(nextOf(deep), undefined);
});

test('a site without pages has neither a tree nor a feed link', () => {
  assert.doesNotMatch(textOf(placeholder), /menu|feed/);
});
