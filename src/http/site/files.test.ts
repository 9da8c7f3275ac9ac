import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedMistakes } from '../../../test/atom.ts';
import { onEachDatabase } from '../../../test/databases.ts';
import { hostileBodies } from '../../../test/hostile-bodies.ts';
import { startWithSite } from '../../../test/visit.ts';
import { absolute } from './absolute.ts';

onEachDatabase('files of a site', (open) => {
  test('the sitemap lists the visible pages, each with the time of its last change', async (t) => {
    const site = await startWithSite(t, open, ['Home', { name: 'Shop', children: [{ name: 'Bread' }] }]);
    const { status, headers, text } = await site.visit('/sitemap.xml');
    assert.deepEqual([status, headers['content-type']], [200, 'application/xml; charset=utf-8']);
    const entries = [...text.matchAll(/<url><loc>([^<]+)<\/loc><lastmod>([^<]+)<\/lastmod><\/url>/g)];
    assert.deepEqual(
      entries.map(([, address]) => address),
      ['/', '/shop', '/shop/bread'].map((path) => site.address + path),
    );
    for (const [, , time] of entries) assert.ok(Math.abs(Date.parse(time!) - Date.now()) < 60_000);
    assert.match(text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www.sitemaps.org/);
    assert.equal((await site.visit('/sitemap-1.xml')).status, 404);
    await site.add('New');
    assert.match((await site.visit('/sitemap.xml')).text, /\/new</);
  });

  test('robots.txt allows everything and names the sitemap', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    const { text, headers } = await site.visit('/robots.txt');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(text, `User-agent: *\nAllow: /\n\nSitemap: ${site.address}/sitemap.xml\n`);
  });

  test('the feed has the 30 latest pages by date, with their content and absolute URLs', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    for (let count = 1; count <= 32; count++) {
      const body = `<p>Story ${count} &amp; <a href="/shop">more</a> <img src="x.png" alt="x"></p>`;
      await site.add({ name: `News <${count}>`, body, description: count === 7 ? 'In "short"' : '' });
    }
    await site.db.transaction().execute((trx) =>
      trx
        .updateTable('pages')
        .set({ custom_date: Date.UTC(2001, 0, 1) })
        .where('name', '=', 'News <32>')
        .execute(),
    );
    const { headers, text } = await site.visit('/feed.xml');
    assert.equal(headers['content-type'], 'application/atom+xml; charset=utf-8');
    const entries = text.split('<entry>').slice(1);
    assert.equal(entries.length, 30);
    assert.match(entries[0]!, /<title>News &lt;31&gt;<\/title>/);
    assert.doesNotMatch(text, /News &lt;32&gt;/);
    assert.ok(entries[0]!.includes(`<link rel="alternate" type="text/html" href="${site.address}/news-31"/>`));
    assert.ok(entries[0]!.includes(`href=&quot;${site.address}/shop&quot;`));
    assert.ok(entries[0]!.includes(`src=&quot;${site.address}/x.png&quot;`));
    assert.match(text, /<summary>In &quot;short&quot;<\/summary>/);
    const ids = [...text.matchAll(/<id>([^<]+)<\/id>/g)].map(([, id]) => id!);
    assert.equal(new Set(ids).size, 31);
    for (const id of ids) assert.match(id, /^tag:sites\.test,\d{4}-\d\d-\d\d:(account|page)_\d+$/);
    assert.match(text, /<author><name>[^<]+<\/name><\/author>/);
    assert.ok(text.includes(`<link rel="self" type="application/atom+xml" href="${site.address}/feed.xml"/>`));
  });

  test('very long descriptions and bodies are cut off in the feed and in page lists', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    const [home] = await site.db.transaction().execute((trx) => trx.selectFrom('pages').select('id').execute());
    for (let count = 1; count <= 3; count++) {
      const description = `The ${count}. ${'Long words. '.repeat(100_000)}`;
      const body = `<p>Body ${count}</p><!--${'x'.repeat(1_100_000)}-->`;
      await site.add({ name: `Page ${count}`, description, body }, home!.id);
    }
    for (const path of ['/', '/home/page-1', '/feed.xml']) {
      const { status, text } = await site.visit(path);
      assert.equal(status, 200);
      assert.match(text, /The 1\. Long words\. /);
      assert.ok(text.length < 30_000, `${path}: ${text.length}`);
    }
  });

  test('characters that XML does not allow are left out of the feed', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    await site.add({ name: 'Odd \u0001 \u{1F600} name', body: '<p>\u000b\ufffe</p>' });
    const { text } = await site.visit('/feed.xml');
    assert.match(text, /<title>Odd {2}\u{1F600} name<\/title>/u);
    assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe]/);
  });

  test('the feed is valid by RFC 4287 for any names and bodies', async (t) => {
    const site = await startWithSite(t, open, []);
    const valid = async () => assert.deepEqual(feedMistakes((await site.visit('/feed.xml')).text), []);
    await valid();
    const names = [
      ']]> <![CDATA[ </title>',
      '&amp; &lt; &nbsp; &#0; &#x1; &bogus;',
      '<!-- --> <?xml version="1.0"?> <!DOCTYPE x>',
      'a\u0001b\u0008c\u000bd\u000ce\u001ff\u007fg\u0085h\u009fi',
      '\ufffe\uffff\ufeff \u2028\u2029',
      '"quotes" \'and\' `ticks`',
      '\u{1F600}\u{10FFFF} \u202e\u2066 é 漢字',
    ];
    for (const name of names) {
      await site.add({ name, description: name, body: `<p title="${name}">${name}</p><a href="${name}">${name}</a>` });
      await site.add({ name: `${name} too`, format: 'markdown_format', body: `# ${name}\n\n[${name}](<${name}>)` });
    }
    await valid();
    const bodies = hostileBodies.filter(({ body }) => !body.includes('\0'));
    for (let at = 0; at < bodies.length; at += 30) {
      for (const [index, { body, format }] of bodies.slice(at, at + 30).entries()) {
        await site.add({ name: `Hostile ${at + index}`, body, format: format });
      }
      await valid();
    }
  });

  test('a site without pages has an empty sitemap and feed', async (t) => {
    const site = await startWithSite(t, open, []);
    assert.doesNotMatch((await site.visit('/sitemap.xml')).text, /<url>/);
    const { status, text } = await site.visit('/feed.xml');
    assert.equal(status, 200);
    assert.match(text, /<updated>\d{4}-/);
    assert.doesNotMatch(text, /<entry>/);
  });

  test('the favicon has the site’s initial, and /favicon.ico redirects to it', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    const { headers, text } = await site.visit('/favicon.svg');
    assert.equal(headers['content-type'], 'image/svg+xml; charset=utf-8');
    assert.match(text, />A<\/text>/);
    const ico = await site.visit('/favicon.ico');
    assert.deepEqual([ico.status, ico.headers.location], [308, '/favicon.svg']);
  });
});

test('relative URLs in HTML are made absolute, and nothing else is changed', () => {
  const from = 'https://acme.example/a/b';
  for (const [html, expected] of [
    ['<a href="/x?a=1&amp;b=2">/x</a>', '<a href="https://acme.example/x?a=1&amp;b=2">/x</a>'],
    ['<img alt="src" src="c.png">', '<img alt="src" src="https://acme.example/a/c.png">'],
    ['<a href="#top">', '<a href="https://acme.example/a/b#top">'],
    ['<a href="mailto:a@b.example">', '<a href="mailto:a@b.example">'],
    ['<p>say href="/x"</p>', '<p>say href="/x"</p>'],
    ['<a href="https://">', '<a href="https://">'],
  ] as const) {
    assert.equal(absolute(html, from), expected);
  }
});

test('the feed validator finds mistakes', () => {
  const mistakes = (feed: string) => feedMistakes(feed).join('\n');
  assert.match(mistakes('<feed xmlns="http://www.w3.org/2005/Atom">&nbsp;</feed>'), /nbsp/);
  assert.match(mistakes('<feed xmlns="http://www.w3.org/2005/Atom"><id>a:b</id></feed>'), /Missing child element/);
  assert.match(mistakes('<feed>\u0001</feed>'), /line 1/);
});
