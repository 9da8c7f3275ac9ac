import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { startWithSite, visit } from '../../../test/visit.ts';
import { changeSite } from '../../sites/change-site.ts';
import { themes } from '../../sites/site.ts';

const pages = [
  { name: 'Home', body: '<p>We bake for the village.</p>' },
  { name: 'Bread', body: '<p>Our sourdough rests for <b>a whole night</b> &amp; rises.</p>' },
  {
    name: 'Search',
    body: '<p>A page of this name.</p>',
    children: [{ name: 'Rolls', body: '<p>Sourdough, too.</p>' }],
  },
  {
    name: 'Draft',
    isHidden: true,
    body: '<p>sourdough</p>',
    children: [{ name: 'Below it', body: '<p>sourdough</p>' }],
  },
];

/** Returns the names of the listed pages. */
const listed = (text: string) =>
  [...text.matchAll(/<li><h2><a href="[^"]*">(.*?)<\/a>/g)].map(([, name]) => name!.replace(/<\/?mark>/g, ''));

onEachDatabase('searching a site', (open) => {
  test('a search finds text on visible pages, and shows the words in context', async (t) => {
    const site = await startWithSite(t, open, pages);
    const { status, text } = await site.visit('/search.html?q=SOURD%C3%B6ugh+night');
    assert.equal(status, 200);
    assert.deepEqual(listed(text), ['Bread']);
    assert.match(
      text,
      /<a href="\/bread">Bread<\/a><\/h2>\n<p>Our <mark>sourdough<\/mark> rests for a whole <mark>night<\/mark> &amp; rises/,
    );
    assert.match(text, /<title>Results for “SOURDöugh night” · /);
    assert.match(text, /<meta name="robots" content="noindex">/);
    assert.deepEqual(listed((await site.visit('/search.html?q=sourdough')).text), ['Bread', 'Rolls']);
    assert.match((await site.visit('/search.html?q=vill')).text, /<a href="\/">Home<\/a>/);
    await site.add({ name: 'Cake', body: '<p>No sourdough.</p>' });
    assert.deepEqual(listed((await site.visit('/search.html?q=sourdough')).text), ['Bread', 'Rolls', 'Cake']);
  });

  test('a NUL character in a search counts as a space', async (t) => {
    const site = await startWithSite(t, open, pages);
    const { status, text } = await site.visit('/search.html?q=sourdough%00night%00');
    assert.deepEqual([status, listed(text)], [200, ['Bread']]);
  });

  test('a search finds no pages of another account', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    const other = await startWithSite(t, async () => site.database, [{ name: 'Home', body: '<p>sourdough</p>' }]);
    assert.deepEqual(listed((await other.visit('/search.html?q=sourdough')).text), ['Home']);
    assert.deepEqual(listed((await site.visit('/search.html?q=sourdough')).text), []);
  });

  test('a search without results offers help, and repeats the escaped words', async (t) => {
    const site = await startWithSite(t, open, pages);
    for (const theme of themes) {
      await site.db
        .transaction()
        .execute((trx) => changeSite(trx, site.accountId, { theme, accent: undefined, language: undefined }));
      const { text } = await site.visit(`/search.html?q=${encodeURIComponent('"><b>none</b>')}`);
      assert.match(text, /Nothing was found for “&quot;&gt;&lt;b&gt;none&lt;\/b&gt;”/, theme);
      assert.match(text, /value="&quot;&gt;&lt;b&gt;none/, theme);
      assert.match(text, /The beginning of a word is enough/, theme);
      assert.match(text, /<p>One of these [^<]*<\/p>\n<ul>\n<li><a href="\/">Home<\/a>/, theme);
      assert.match((await site.visit('/search.html')).text, /<h1>Search<\/h1>\n<form [^>]*role="search"/, theme);
    }
  });

  test('a long search is shortened in the title, and complete in the field', async (t) => {
    const site = await startWithSite(t, open, pages);
    const wanted = 'sourdough '.repeat(20).trim();
    const { text } = await site.visit(`/search.html?q=${encodeURIComponent(wanted)}`);
    const shortened = `Results for “${wanted.slice(0, 59)}…”`;
    assert.ok(text.includes(`<h1>${shortened}</h1>`), text);
    assert.ok(text.includes(`<title>${shortened} · `), text);
    assert.ok(text.includes(`value="${wanted}"`), text);
  });

  test('only sites with more than a few pages have a search form, and a policy that allows it', async (t) => {
    const site = await startWithSite(t, open, ['Home', 'Bread', 'Contact']);
    const policy = async (path: string) => {
      const { text, headers } = await site.visit(path);
      return [text.includes('role="search"'), /form-action [^;]*/.exec(String(headers['content-security-policy']))![0]];
    };
    assert.deepEqual(await policy('/'), [false, "form-action 'none'"]);
    await site.add('Rolls');
    for (const path of ['/', '/bread', '/nothing-here'])
      assert.deepEqual(await policy(path), [true, "form-action 'self'"]);
  });

  test('a search finds no text of unpublished pages, comments, scripts or styles', async (t) => {
    const site = await startWithSite(t, open, [
      'Home',
      { name: 'Open', body: '<p>bread</p><!-- remark --><script>let script</script><style>.style{}</style>' },
      {
        name: 'Taken back',
        body: '<p>bread rationale</p>',
        children: [{ name: 'Below', body: '<p>bread underneath</p>' }],
      },
      { name: 'Untouched', body: '<p>bread example</p>' },
    ]);
    const setStatus = (name: string, status: 'unpublished' | 'default') =>
      site.db
        .transaction()
        .execute((trx) => trx.updateTable('pages').set({ status }).where('name', '=', name).execute());
    const found = async (text: string) => listed((await site.visit(`/search.html?q=${text}`)).text);
    assert.deepEqual((await found('bread')).toSorted(), ['Below', 'Open', 'Taken back', 'Untouched']);
    await setStatus('Taken back', 'unpublished');
    await setStatus('Untouched', 'default');
    assert.deepEqual(await found('bread'), ['Open']);
    for (const text of [
      'rationale',
      'underneath',
      'example',
      'taken',
      'taken-back',
      'untouched',
      'remark',
      'script',
      'style',
    ]) {
      const { text: page } = await site.visit(`/search.html?q=${text}`);
      assert.deepEqual(listed(page), [], text);
      assert.doesNotMatch(page, /Another word makes the list shorter/);
    }
  });

  test('a text of many combining marks does not slow down a search, and its excerpt is short', async (t) => {
    const marks = `e${'\u0301\u0316'.repeat(20_000)}`;
    const site = await startWithSite(t, open, [{ name: 'Home', body: `<p>bread ${marks} butter</p>` }]);
    const { text } = await site.visit('/search.html?q=butter');
    assert.deepEqual(listed(text), ['Home']);
    assert.ok(text.length < 10_000, `${text.length}`);
  });

  test('a page named "search" keeps its path', async (t) => {
    const site = await startWithSite(t, open, pages);
    assert.match((await site.visit('/search')).text, /A page of this name/);
    assert.match((await site.visit('/search?q=sourdough')).text, /A page of this name/);
  });

  test('search results are not cached, and their path is canonicalized', async (t) => {
    const site = await startWithSite(t, open, pages, { SITE_MAX_AGE: '60' });
    const found = await site.visit('/search.html?q=bread');
    assert.equal(found.headers['cache-control'], 'private, no-store');
    assert.match(String((await site.visit('/bread')).headers['cache-control']), /^public/);
    assert.equal((await site.visit('/Search.HTML?q=bread')).headers.location, '/search.html?q=bread');
  });

  test('a search lists 20 pages at most, and accepts thousands of words', async (t) => {
    const names = Array.from({ length: 22 }, (_, index) => ({ name: `Loaf ${index}`, body: '<p>one two three</p>' }));
    const site = await startWithSite(t, open, names);
    const { text } = await site.visit('/search.html?q=loaf');
    assert.equal(listed(text).length, 20);
    assert.match(text, /Another word makes the list shorter/);
    const many = Array.from({ length: 3000 }, (_, index) => `w${index}`).join('+');
    assert.equal((await visit(site.service, site.host, `/search.html?q=${many.slice(0, 6000)}`)).status, 200);
  });

  test('a network that searches too often is refused, and others are not', async (t) => {
    const site = await startWithSite(t, open, ['Home'], { TRUST_PROXY: 'loopback' });
    const ask = async (ip: string) => (await site.visit('/search.html?q=home', { 'X-Forwarded-For': ip })).status;
    const statuses = new Set<number>();
    // The rate limit's minute may end meanwhile.
    for (let count = 0; count < 125; count++) statuses.add(await ask('192.0.2.1'));
    assert.deepEqual([...statuses], [200, 429]);
    assert.equal(await ask('192.0.2.2'), 200);
    assert.equal((await site.visit('/', { 'X-Forwarded-For': '192.0.2.1' })).status, 200);
  });
});
