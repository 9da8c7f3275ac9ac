import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { operatorAuditEvents, runCli } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { photo } from '../../test/images.ts';
import { zip } from '../../test/zip.ts';

onEachDatabase('site import of a page tree', (open) => {
  test('site import creates all pages of a file or none, and names every wrong place', async (t) => {
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db, 'acme');
    const folder = await mkdtemp(join(tmpdir(), 'freehold-site-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'pages.json');
    const site = async (content: object | string, ...args: string[]) => {
      await writeFile(file, typeof content === 'string' ? Buffer.from(content, 'latin1') : JSON.stringify(content));
      return runCli(config, 'site', 'import', file, '--account', 'acme', ...args);
    };
    const tree = { pages: [{ name: 'Services', children: [{ name: 'Cakes', body: '<p>Cakes</p>' }] }] };
    assert.deepEqual(await site(tree, '--check'), { code: 0, out: '2 pages checked: no errors.\n', error: '' });
    assert.deepEqual(await operatorAuditEvents(db), []);
    assert.deepEqual(await site(tree), { code: 0, out: '2 pages created.\n', error: '' });
    const rows = await db
      .selectFrom('pages')
      .select(['id', 'name', 'account_id', 'created_by'])
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map(({ name, account_id, created_by }) => [name, account_id, created_by]),
      [
        ['Services', accountId, userId],
        ['Cakes', accountId, userId],
      ],
    );
    assert.deepEqual(await operatorAuditEvents(db), ['page.created Services', 'page.created Cakes']);
    assert.deepEqual(await site(tree, '--parent', 'page_99'), {
      code: 1,
      out:
        '--parent does not exist.\npages[0].name has already been taken.\n' +
        'pages[0].children[0].name has already been taken.\nNo page was created.\n',
      error: '',
    });
    const mistaken = await site({ pages: [{ name: 'Team', body_format: 1 }] }, '--json', '--check');
    const wrong = [{ place: 'pages[0].body_format', message: 'is not a text' }];
    assert.deepEqual([mistaken.code, JSON.parse(mistaken.out)], [1, { import: { created: 0, wrong } }]);
    const below = await site({ pages: [{ name: 'Team' }] }, '--json', '--parent', `page_${rows[0]!.id}`);
    assert.deepEqual(JSON.parse(below.out), { import: { pages: 1, created: 1, wrong: [] } });
    const team = db.selectFrom('pages').select('parent_id').where('name', '=', 'Team');
    assert.equal((await team.executeTakeFirstOrThrow()).parent_id, rows[0]!.id);

    await mkdir(join(folder, 'site/news'), { recursive: true });
    await mkdir(join(folder, 'site/.git'));
    await writeFile(join(folder, 'site/.git/config'), '');
    await writeFile(join(folder, 'site/news/may.md'), 'See [June](june.md). ![](../loaf.jpg)');
    await writeFile(join(folder, 'site/news/june.md'), '');
    await writeFile(join(folder, 'site/loaf.jpg'), await photo(8, 6));
    const whole = (name: string, ...args: string[]) =>
      runCli(config, 'site', 'import', join(folder, name), '--account', 'acme', ...args);
    assert.equal((await whole('site', '--check')).out, '3 pages checked: no errors.\n');
    assert.deepEqual(await whole('site'), { code: 0, out: '3 pages created.\n', error: '' });
    const may = db.selectFrom('pages').select('body').where('name', '=', 'May');
    assert.match((await may.executeTakeFirstOrThrow()).body, /^See \[June\]\(\/news\/june\)\. !\[\]\(\/media\//);
    await writeFile(join(folder, 'site.zip'), zip([{ name: 'a_b.txt' }, { name: 'c.md' }]));
    const archive = await whole('site.zip');
    assert.deepEqual(archive, {
      code: 1,
      error: '',
      out: 'a_b.txt is not a Markdown file, an HTML file or an image.\nNo page was created.\n',
    });
    await writeFile(join(folder, 'site/a_b.txt'), '');
    assert.equal((await whole('site')).out, archive.out);

    for (const text of ['{', '[]', '"\xff"']) {
      const broken = await site(text);
      assert.equal(broken.code, 1, broken.out);
      assert.match(broken.error, /^The (file|document) /);
    }
    const posts = await site(tree, '--posts', 'News');
    assert.deepEqual([posts.code, posts.error], [2, '--posts is for the export of a site.\n']);
    const xml = join(folder, 'acme.xml');
    await writeFile(xml, '<rss></rss>');
    const ofExport = await runCli(config, 'site', 'import', xml, '--account', 'acme', '--parent', 'page_1');
    assert.deepEqual([ofExport.code, ofExport.error], [2, '--parent is for files of pages, not for a site.\n']);
    const missing = await runCli(config, 'site', 'import', join(folder, 'none.json'), '--account', 'acme');
    assert.match(missing.error, /^The file cannot be read: ".*" does not exist\.$/m);
  });
});
