import assert from 'node:assert/strict';
import { test } from 'node:test';
import { article, bare, extreme, home, placeholder, section } from '../../../../../test/site-views.ts';
import { stringsFor } from '../../strings.ts';
import type { PageView } from '../../view.ts';
import { fit } from './fit.ts';
import { portfolio } from './theme.ts';

const strings = stringsFor('en');

/** Returns the paths of the links inside the element with a class. */
function linksIn(view: PageView, className: string): string[] {
  const { text } = portfolio.body(view, strings);
  const part = text.split(`class="${className}"`)[1]?.split(/<\/(?:ul|section)>/)[0] ?? '';
  return [...part.matchAll(/href="([^"]*)"/g)].map(([, path]) => path!);
}

test('the home page shows the pages of the first section as works, and lists the other sections', () => {
  assert.deepEqual(linksIn(home, 'plates'), [
    '/timber-frames/oak-barns',
    '/timber-frames/garden-rooms',
    '/timber-frames/extensions',
    '/timber-frames/repairs',
  ]);
  assert.deepEqual(linksIn(home, 'rows'), ['/journal', '/about', '/contact']);
});

test('a site without sections shows its root pages as works', () => {
  const navigation = home.navigation.map((item) => ({ ...item, children: [] }));
  assert.deepEqual(linksIn({ ...home, navigation }, 'plates'), ['/timber-frames', '/journal', '/about', '/contact']);
  assert.deepEqual(linksIn({ ...home, navigation }, 'rows'), []);
});

test('a home page with sub-pages shows these as works', () => {
  const subPages = [{ name: 'One', path: '/home/one', description: '', date: 0 }];
  assert.deepEqual(linksIn({ ...home, subPages }, 'plates'), ['/home/one']);
});

test('a section shows its pages, a page in a section links to its siblings, and a root page to none', () => {
  assert.deepEqual(
    linksIn(section, 'plates'),
    section.subPages.map(({ path }) => path),
  );
  assert.deepEqual(linksIn(article, 'rows'), ['/journal/raising-day']);
  assert.deepEqual(linksIn(bare, 'rows'), []);
});

test('the siblings of a page start with the next one and wrap around', () => {
  const paths = linksIn({ ...extreme, subPages: [], path: '/sparte-3/unterseite-4' }, 'rows');
  assert.deepEqual(
    paths,
    [5, 6, 7, 8, 9].map((child) => `/sparte-3/unterseite-${child}`),
  );
});

test("a plate has the first letter of its page's name in any script", () => {
  const named = (name: string) => {
    const subPages = [{ name, path: '/a', description: '', date: 0 }];
    return /data-initial="([^"]*)"/.exec(portfolio.body({ ...section, subPages }, strings).text)![1];
  };
  assert.equal(named('barns'), 'B');
  assert.equal(named('“Élan”'), 'É');
  assert.equal(named('2 rooms'), '2');
  assert.equal(named('木組み'), '木');
  assert.equal(named('الكعك'), 'ك');
  assert.equal(named('👩‍🌾'), '👩‍🌾');
  assert.equal(named('"'), '&quot;');
});

test('the plate of a page with a picture shows the picture', () => {
  const { text } = portfolio.body(home, strings);
  const plates = [...text.matchAll(/<(picture|span) class="plate/g)].map(([, name]) => name);
  assert.deepEqual(plates, ['picture', 'picture', 'span', 'span']);
});

test('the index has every page of the navigation', () => {
  const { text } = portfolio.body(extreme, strings);
  for (const { path, children } of extreme.navigation) {
    for (const page of [path, ...children.map((child) => child.path)]) assert.ok(text.includes(`href="${page}"`), page);
  }
});

test('long words, and words of wide characters, are set smaller than short ones', () => {
  assert.equal(fit('Kino'), 'fit-1');
  assert.equal(fit('Harrow & Daughters'), 'fit-2');
  assert.equal(fit('Architekturbüro'), 'fit-4');
  assert.equal(fit('Donaudampfschifffahrtsgesellschaft'), 'fit-5');
  assert.equal(fit('山田木'), 'fit-1');
  assert.equal(fit('山田木工所'), 'fit-3');
  assert.equal(fit(''), 'fit-1');
});

test('a site without pages has neither a menu nor a feed link', () => {
  assert.doesNotMatch(portfolio.body(placeholder, strings).text, /menu|feed/);
});
