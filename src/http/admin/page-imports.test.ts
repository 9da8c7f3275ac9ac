import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { photo } from '../../../test/images.ts';
import { signedInAs } from '../../../test/person.ts';
import { flatten, startWithAccount } from '../../../test/service.ts';
import { wordPressExport } from '../../../test/wordpress-export.ts';
import { zip } from '../../../test/zip.ts';

const item = {
  'wp:post_id': 1,
  title: 'Bread',
  'wp:post_type': 'post',
  'wp:status': 'publish',
  'wp:post_name': 'bread',
  link: 'https://old.example/2019/bread/',
  'content:encoded': 'Rye.\n\n[gallery]<img src="https://old.example/a.jpg">',
};

onEachDatabase('imports of pages in the admin app', (open) => {
  const start = async (t: TestContext) => {
    const started = await startWithAccount(t, open);
    const person = await signedInAs(started.service, started.db, started.accountId, 'admin');
    const send = (content: string | Buffer, query: Readonly<Record<string, string>> = {}) =>
      person.uploadTo(`page-imports?${new URLSearchParams(query)}`, Buffer.from(content as string));
    const names = async () => [...flatten(await started.service.pages(started.key))].map(({ url }) => url);
    return { ...started, send, names, person };
  };

  test('the export of a WordPress site can be checked, and is imported as pages', async (t) => {
    const { send, names } = await start(t);
    // Some editors write a byte order mark before the text.
    const file = `\ufeff${wordPressExport([item])}`;
    const notes = ['"Bread": The shortcode [gallery] does not work here, and is shown as text.'];
    const counts = { postCount: 1, unpublishedCount: 0, redirectCount: 1, imagesCopied: 0, imagesLeft: 1 };
    const site = { ...counts, notes, noteCount: 1 };
    assert.deepEqual((await send(file, { check: '' })).outcome, [200, { pageCount: 2, roots: [], site }]);
    assert.deepEqual(await names(), []);
    const { status, json } = await send(file, { posts: 'News' });
    assert.deepEqual([status, json.pageCount, json.roots.length, json.site], [201, 2, 1, site]);
    assert.deepEqual(await names(), ['/news', '/news/bread']);
  });

  test('a ZIP archive and the list of pages of another account are imported as pages', async (t) => {
    const { send, names } = await start(t);
    const archive = zip([
      { name: 'bakery/index.md', content: '![](loaf.jpg)' },
      { name: 'bakery/loaf.jpg', content: await photo(8, 6) },
    ]);
    const list = JSON.stringify({ pages: [{ name: 'Services', children: [{ name: 'Cakes' }] }] });
    const made = [await send(archive), await send(list)];
    assert.deepEqual(
      made.map(({ status, json }) => [status, json.pageCount, json.roots.length, json.site]),
      [
        [201, 1, 1, null],
        [201, 2, 1, null],
      ],
    );
    assert.deepEqual(await names(), ['/bakery', '/services', '/services/cakes']);
  });

  test('an invalid file is refused with the reason, and no page is created', async (t) => {
    const { send, names, person } = await start(t);
    const ghost = JSON.stringify({ data: { posts: [{ title: 'Hello', slug: 'hello', status: 'published' }] } });
    const unknown = [422, undefined, 'unknown_import_file'];
    for (const [file, query, ...expected] of [
      ['no file of pages', {}, ...unknown],
      ['<html></html>', {}, ...unknown],
      ['{"some": "thing"}', {}, ...unknown],
      ['', {}, ...unknown],
      ['PK', {}, 422, [{ field: 'archive', code: 'not_a_zip' }], undefined],
      [ghost, { check: '' }, 422, [{ field: 'site_url', code: 'blank' }], undefined],
      [ghost, { check: '', site_url: 'old' }, 422, [{ field: 'site_url', code: 'not_a_url' }], undefined],
      ['{"pages": [{"name": ""}]}', {}, 422, [{ field: 'pages[0].name', code: 'blank' }], undefined],
    ] as [string, Record<string, string>, number, unknown, unknown][]) {
      const { status, json } = await send(file, query);
      assert.deepEqual([status, json.error.fields, json.error.why?.reason], expected, file);
    }
    const asForm = await person.sendText('page-imports', ghost, 'text/plain');
    assert.deepEqual([asForm.status, asForm.json.error.code], [400, 'malformed']);
    assert.deepEqual(await names(), []);
  });
});
