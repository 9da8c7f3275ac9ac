import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount } from '../../../test/factories.ts';
import { photo } from '../../../test/images.ts';
import { flatten, startWithAccount } from '../../../test/service.ts';
import { wordPressExport } from '../../../test/wordpress-export.ts';

const exported = wordPressExport([
  {
    'wp:post_id': 1,
    title: 'About',
    'wp:post_type': 'page',
    'wp:status': 'publish',
    'wp:post_parent': 0,
    'wp:post_name': 'about',
    link: 'https://old.example/about-us/',
    'content:encoded': 'We bake.\n\n[gallery]',
  },
  {
    'wp:post_id': 2,
    title: 'Bread',
    'wp:post_type': 'post',
    'wp:status': 'draft',
    'wp:post_name': 'bread',
    link: 'https://old.example/?p=2',
    'content:encoded': '<a href="https://old.example/about-us/">us</a>',
  },
]);

const post = { title: 'Hello', slug: 'hello', status: 'published', visibility: 'public' };
const ghost = (html: string) => JSON.stringify({ db: [{ data: { posts: [{ ...post, html }] } }] });

onEachDatabase('importing another system’s site', (open) => {
  test('a WordPress export is imported as pages, with notes on what could not be converted', async (t) => {
    const { service, key, send } = await start(t, open);
    const notes = ['"About": The shortcode [gallery] does not work here, and is shown as text.'];
    const site = { unpublished: 1, redirects: 1, images_copied: 0, images_left: 0, notes };
    const query = 'import[posts]=News';
    const checked = await send('application/xml', exported, `${query}&import[dry_run]=true`);
    assert.deepEqual(checked.outcome, [200, { response: true, errors: [], count: 3, pages: [], site }]);
    assert.deepEqual(await service.pages(key), []);

    const once = { 'Idempotency-Key': 'site' };
    const made = await send('text/xml', exported, query, once);
    assert.deepEqual([made.status, made.json.count, made.json.site], [200, 3, site]);
    const pages = [...flatten(await service.pages(key))];
    assert.deepEqual(
      pages.map(({ name, url, body }) => [name, url, body]),
      [
        ['About', '/about', '<p>We bake.</p>\n<p>[gallery]</p>'],
        ['News', '/news', ''],
        ['Bread', '/news/bread', '<p><a href="/about">us</a></p>'],
      ],
    );
    assert.deepEqual(made.json.pages[1].children, [{ id: pages[2]!.id, name: 'Bread', children: [] }]);
    assert.deepEqual((await send('text/xml', exported, query, once)).json, made.json);
    // A second import creates the pages again under other names.
    const { json } = await send('application/xml', exported);
    assert.equal(json.pages[0].name, 'About 2');
    assert.equal(json.site.notes.at(-1), '"Bread" becomes "Bread 2", because another page has that name.');
  });

  test('a Ghost export is imported with the site’s address, and its images are copied', async (t) => {
    const { service, key, send } = await start(t, open, { WEBHOOKS_TO_PRIVATE_NETWORKS: 'true' });
    const loaf = await photo(64, 48);
    const old = createServer((request, response) => {
      if (request.url === '/loaf.jpg') response.end(loaf);
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    t.after(() => old.close());
    await once(old, 'listening');
    const origin = `http://127.0.0.1:${(old.address() as AddressInfo).port}`;
    const document = ghost(`<img src="${origin}/loaf.jpg"><img src="${origin}/gone.jpg">`);
    const from = `import[site_url]=${encodeURIComponent(origin)}`;
    const { status, json } = await send('application/json', document, `${from}&import[images]=true`);
    assert.deepEqual([status, json.site.images_copied, json.site.images_left], [200, 1, 1]);
    assert.deepEqual(json.site.notes, [`${origin}/gone.jpg is not copied. The address answers with the status 404.`]);
    const [image] = (await service.get('/api/images.json', key)).json.images;
    const [, { body }] = [...flatten(await service.pages(key))] as [unknown, { body: string }];
    assert.ok(body.includes(`src="${image.src}"`) && body.includes(`src="${origin}/gone.jpg"`), body);
  });

  test('an invalid export or option is refused with the reason, and nothing is created', async (t) => {
    const { service, key, send } = await start(t, open);
    const json = 'application/json';
    for (const [type, body, query, status, errors] of [
      [
        ...['text/xml', '<rss></rss>', '', 422],
        'This is not an export file of WordPress. Create one in WordPress under Tools, Export.',
      ],
      [json, ghost(''), '', 422, [['site_url', "can't be blank"]]],
      [json, ghost(''), 'import[site_url]=old', 422, [['site_url', 'is not an address like https://example.com/help']]],
      ['text/xml', exported, 'import[posts]=%00', 422, [['posts', 'contains a NUL character']]],
      ['text/xml', exported, 'import[images]=maybe', 422, [['images', 'is not true or false']]],
    ] as [string, string, string, number, unknown][]) {
      const answer = await send(type, body, query);
      assert.deepEqual(answer.outcome, [status, { response: false, errors }], query);
    }
    assert.deepEqual(await service.pages(key), []);
  });

  test('an import without images does not wait for others that copy images from slow sites', async (t) => {
    const { service, db, send } = await start(t, open, { WEBHOOKS_TO_PRIVATE_NETWORKS: 'true' });
    const others = [await makeAccount(db), await makeAccount(db), await makeAccount(db)];
    const asked: ServerResponse[] = [];
    const allAsked = Promise.withResolvers<void>();
    const slow = createServer((_, response) => {
      if (asked.push(response) === others.length) allAsked.resolve();
    }).listen(0, '127.0.0.1');
    t.after(() => slow.close());
    await once(slow, 'listening');
    const origin = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const query = `import[site_url]=${encodeURIComponent(origin)}&import[images]=true`;
    const waiting = others.map((other) =>
      service.request('POST', `/api/pages/import.json?${query}`, {
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${other.key}` },
        body: ghost(`<img src="${origin}/loaf.jpg">`),
      }),
    );
    await allAsked.promise;
    const fourth = await send('application/xml', exported, 'import[images]=true');
    assert.deepEqual([fourth.status, fourth.headers['retry-after']], [429, '30']);
    const dryRun = await send('application/xml', exported, 'import[images]=true&import[dry_run]=true');
    assert.equal(dryRun.status, 200);
    assert.equal((await send('application/xml', exported)).status, 200);
    for (const image of asked) image.writeHead(404).end();
    assert.deepEqual(
      (await Promise.all(waiting)).map(({ status }) => status),
      [200, 200, 200],
    );
  });

  test('imported sites are held to the limits of pages: depth, number and dates', async (t) => {
    const { service, key, send } = await start(t, open);
    const fields = { 'wp:post_type': 'page', 'wp:status': 'publish' };
    const chain = Array.from({ length: 31 }, (_, id) => ({
      ...fields,
      title: `P${id}`,
      'wp:post_id': id + 1,
      'wp:post_parent': id,
    }));
    const deep = await send('text/xml', wordPressExport(chain));
    assert.deepEqual([deep.status, deep.json.errors], [422, [['"P30"', 'is nested too deeply']]]);
    // The paths of all these pages together would have ten billion characters.
    const longChain = Array.from({ length: 10_000 }, (_, id) => ({
      ...fields,
      title: `P${id}`,
      'wp:post_id': id + 1,
      'wp:post_parent': id,
      'wp:post_name': 's'.repeat(200),
    }));
    const refused = await send('text/xml', wordPressExport(longChain));
    assert.deepEqual([refused.status, refused.json.errors], [422, [['"P30"', 'is nested too deeply']]]);

    const items = wordPressExport([{ ...fields, 'wp:post_type': 'post' }]);
    const [item] = /<item>.*<\/item>/s.exec(items)!;
    const many = await send('text/xml', items.replace(item, item.repeat(20_001)));
    assert.deepEqual([many.status, many.json.errors[0]?.[0]], [422, 'pages']);

    const dates = [1e300, 0.5, 8e15, '+275760-09-13T00:00:00Z', Date.UTC(2020, 0)];
    const posts = dates.map((published_at, id) => ({ ...post, slug: `p${id}`, title: `P${id}`, published_at }));
    const from = 'import[site_url]=https://old.example';
    const dated = await send('application/json', JSON.stringify({ data: { posts } }), from);
    assert.equal(dated.status, 200);
    const pages = [...flatten(await service.pages(key))] as { custom_date: string }[];
    assert.equal(pages.filter(({ custom_date }) => custom_date === 'Wed Jan 01 00:00:00 UTC 2020').length, 1);
  });

  test('NUL characters in exports do not make an import fail', async (t) => {
    const { send } = await start(t, open);
    const nul = JSON.stringify({ data: { posts: [{ ...post, title: 'A\0B', html: '<p>\0</p>' }] } });
    const ofGhost = await send('application/json', nul, 'import[site_url]=https://old.example');
    const ofWordPress = await send('application/xml', exported.replaceAll('e', 'e\0'));
    assert.deepEqual([ofGhost.status, ofWordPress.status], [200, 200]);
  });
});

async function start(
  t: TestContext,
  open: (t: TestContext) => Promise<TestDatabase>,
  settings: Record<string, string> = {},
) {
  const started = await startWithAccount(t, open, settings);
  const send = (type: string, body: string, query = '', headers: Record<string, string> = {}) =>
    started.service.request('POST', `/api/pages/import.json${query && `?${query}`}`, {
      headers: { 'Content-Type': type, Authorization: `Bearer ${started.key}`, ...headers },
      body,
    });
  return { ...started, send };
}
