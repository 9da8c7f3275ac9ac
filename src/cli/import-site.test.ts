import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { operatorAuditEvents, runCli, runCliJson, runCliWith } from '../../test/cli.ts';
import { onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { makeAccount, makePage } from '../../test/factories.ts';
import { photo } from '../../test/images.ts';
import { type WordPressFields, wordPressExport } from '../../test/wordpress-export.ts';
import { zip } from '../../test/zip.ts';
import { findMovedPage } from '../pages/redirects.ts';

const page = (id: number, title: string, more: WordPressFields = {}): WordPressFields => ({
  'wp:post_id': id,
  title,
  'wp:post_type': 'page',
  'wp:status': 'publish',
  'wp:post_parent': 0,
  'wp:post_name': title.toLowerCase(),
  link: `https://old.example/${title.toLowerCase()}/`,
  ...more,
});

const items = [
  page(1, 'About', { 'content:encoded': 'We bake.\n\nSee <a href="https://old.example/2019/bread/">bread</a>.' }),
  page(2, 'Team', { 'wp:post_parent': 1, 'wp:status': 'draft' }),
  page(3, 'Bread', {
    'wp:post_type': 'post',
    link: 'https://old.example/2019/bread/',
    'wp:post_date_gmt': '2019-01-02 03:04:05',
    'content:encoded': '[gallery]',
  }),
];

onEachDatabase('site import from another system', (open) => {
  test('site import prints no control characters from the file', async (t) => {
    const { config, file } = await start(t, open);
    await writeFile(file, wordPressExport([page(1, 'Cakes\u009b2J', { 'content:encoded': '[worse x="1"]' })]));
    const { out } = await runCli(config, 'site', 'import', file, '--account', 'acme', '--check');
    assert.match(out, /^"Cakes\ufffd2J": The shortcode \[worse\]/m);
    const folder = join(file, '..');
    await writeFile(join(folder, 'pages.zip'), zip([{ name: 'a\u001b[2J.exe', content: '' }]));
    const archive = await runCli(config, 'site', 'import', join(folder, 'pages.zip'), '--account', 'acme', '--check');
    assert.match(archive.out, /^a\ufffd\[2J\.exe /m);
  });

  test('site import adds pages beside existing ones, and redirects their former addresses', async (t) => {
    const { db, config, accountId, file, pages } = await start(t, open);
    const { out, code } = await runCli(config, 'site', 'import', file, '--account', 'acme');
    assert.equal(code, 0);
    assert.equal(
      out,
      `"Bread": The shortcode [gallery] does not work here, and is shown as text.
"About" becomes "About 2", because another page has that name.
4 pages created on the site of "acme", 1 unpublished, with 2 redirects and 0 images.
`,
    );
    assert.deepEqual(await pages(), [
      ['About', 'about', 'published', ''],
      ['About 2', 'about-2', 'published', '<p>We bake.</p>\n<p>See <a href="/blog/bread">bread</a>.</p>'],
      ['Blog', 'blog', 'published', ''],
      ['Bread', 'bread', 'published', '<p>[gallery]</p>'],
      ['Team', 'team', 'unpublished', ''],
    ]);
    const moved = await db.transaction().execute((trx) => findMovedPage(trx, accountId, '/2019/bread'));
    assert.deepEqual(
      moved?.map(({ urlname }) => urlname),
      ['blog', 'bread'],
    );
    assert.deepEqual(
      await operatorAuditEvents(db),
      ['About 2', 'Team', 'Blog', 'Bread'].map((name) => `page.created ${name}`),
    );
  });

  test('site import writes nothing with --check, or if the pages exceed the quota', async (t) => {
    const { db, config, accountId, file, pages } = await start(t, open);
    const { import: checked } = await runCliJson(
      config,
      ...['site', 'import', file, '--account', 'acme', '--check', '--posts', 'News'],
    );
    assert.deepEqual(checked, {
      pages: 4,
      unpublished: 1,
      redirects: 2,
      renamed: [{ from: 'About', to: 'About 2' }],
      images: 0,
      images_left: 0,
      images_failed: [],
      notes: [{ code: 'shortcode', value: 'gallery', page: 'Bread', count: 1 }],
    });
    const full = { page_bytes: 2 ** 50 };
    await db
      .transaction()
      .execute((trx) => trx.updateTable('accounts').set(full).where('id', '=', accountId).execute());
    const refused = await runCli(config, 'site', 'import', file, '--account', 'acme');
    assert.equal(refused.code, 1);
    assert.match(refused.out, /^pages does not fit: .*\nNone of the 4 pages was created\.$/m);
    assert.deepEqual(await pages(), [['About', 'about', 'published', '']]);
  });

  test('site import copies each image of the old site once, and names those it cannot copy', async (t) => {
    const { db, config, accountId, file, pages } = await start(t, open);
    const asked: string[] = [];
    const loaf = await photo(64, 48);
    const server = createServer(({ url }, response) => {
      asked.push(url!);
      if (url === '/loaf.jpg') response.end(loaf);
      else if (url === '/text.jpg') response.end('no image');
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const image = (id: number, name: string): WordPressFields => ({
      ...page(id, name, { 'wp:post_type': 'attachment', 'wp:status': 'inherit', 'wp:post_parent': 5 }),
      'wp:attachment_url': `${origin}/${name}.jpg`,
    });
    const shown = (src: string) => `<img src="${origin}/${src}" alt="x">`;
    const content = `${shown('loaf-300x200.jpg')}\n\n<a href="${origin}/loaf.jpg">${shown('loaf.jpg?w=100')}</a>\n\n${shown('text.jpg')}${shown('gone.jpg')}\n\n[gallery ids="6"]`;
    const items = [
      page(5, 'Bread', { 'content:encoded': content }),
      image(6, 'loaf'),
      image(7, 'text'),
      image(8, 'gone'),
    ];
    await writeFile(file, wordPressExport(items));
    const command = ['site', 'import', file, '--account', 'acme'];
    const settings = { WEBHOOKS_TO_PRIVATE_NETWORKS: 'true' };
    const left = await runCliWith(settings, config, ...command, '--check', '--images');
    assert.equal(left.error, '');
    assert.match(left.out, /^3 images stay at the old site\.$/m);
    assert.deepEqual(asked, []);
    const { out } = await runCliWith(settings, config, ...command, '--images');
    assert.match(out, /^http:\S+text\.jpg is not copied\. The file is not an image/m);
    assert.match(out, /^http:\S+gone\.jpg is not copied\. The address answers with the status 404\.$/m);
    assert.match(out, /^2 images stay at the old site\.$/m);
    assert.match(out, /^1 page created .* with 0 redirects and 1 image\.$/m);
    assert.deepEqual(asked.toSorted(), ['/gone.jpg', '/loaf.jpg', '/text.jpg']);
    const [{ hash }] = (await db.selectFrom('media').select('hash').where('account_id', '=', accountId).execute()) as [
      { hash: string },
    ];
    const [, [, , , body]] = (await pages()) as [unknown, [string, string, string, string]];
    const [first, ...others] = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url!);
    assert.match(first!, new RegExp(`^/media/${hash}-`));
    assert.deepEqual(others, [first, first, `${origin}/text.jpg`, `${origin}/gone.jpg`, first]);
    const closed = await runCli(config, ...command, '--images', '--json');
    const [{ reason }] = JSON.parse(closed.out).import.images_failed;
    assert.equal(reason, 'The address leads into a private network.');
  });

  test("site import reads the export of a Ghost site, given the site's address", async (t) => {
    const { config, file, pages } = await start(t, open);
    const ghost = `${file}.json`;
    const post = { title: 'Hello', slug: 'hello', status: 'published', visibility: 'public', html: '<p>Hi</p>' };
    await writeFile(ghost, JSON.stringify({ db: [{ data: { posts: [post] } }] }));
    const command = ['site', 'import', ghost, '--account', 'acme'];
    const without = await runCli(config, ...command);
    assert.deepEqual([without.code, /Missing: --from/.test(without.error)], [2, true]);
    const { out } = await runCli(config, ...command, '--from', 'https://old.example');
    assert.equal(out, '2 pages created on the site of "acme", 0 unpublished, with 1 redirect and 0 images.\n');
    assert.deepEqual((await pages()).at(-1), ['Hello', 'hello', 'published', '<p>Hi</p>']);
  });

  test('site import refuses a file that is not an export', async (t) => {
    const { config, file } = await start(t, open);
    await writeFile(file, '<rss></rss>');
    const other = await runCli(config, 'site', 'import', file, '--account', 'acme');
    assert.deepEqual([other.code, other.error.includes('not an export file of WordPress')], [1, true]);
    const missing = await runCli(config, 'site', 'import', `${file}x`, '--account', 'acme');
    assert.deepEqual([missing.code, missing.error.includes('The file cannot be read')], [1, true]);
  });
});

async function start(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const { db, config } = await open(t);
  const { accountId, userId } = await makeAccount(db, 'acme');
  await makePage(db, accountId, { userId, name: 'About' });
  const folder = await mkdtemp(join(tmpdir(), 'freehold-wordpress-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'export.xml');
  await writeFile(file, wordPressExport(items));
  const pages = async () => {
    const rows = await db
      .selectFrom('pages')
      .select(['name', 'urlname', 'status', 'body'])
      .where('account_id', '=', accountId)
      .orderBy('name')
      .execute();
    return rows.map(({ name, urlname, status, body }) => [name, urlname, status, body]);
  };
  return { db, config, accountId, file, pages };
}
