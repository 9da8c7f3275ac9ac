import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor } from '../../../test/factories.ts';
import { startWithSite } from '../../../test/visit.ts';
import type { Db } from '../../db/database.ts';
import { changeMedia } from '../../media/change-media.ts';
import { removeMedia, restoreMedia } from '../../media/remove-media.ts';
import { changeSite } from '../../sites/change-site.ts';
import type { Theme } from '../../sites/site.ts';

const hashOf = (digit: number) => String(digit).repeat(32);
const image = (digit: number) => `<img src="/media/${hashOf(digit)}-1200x800.webp" alt="">`;

/** Adds rows of images to the account, without files. */
async function addImages(db: Db, { accountId, userId }: { accountId: number; userId: number }) {
  const common = {
    account_id: accountId,
    kind: 'jpeg',
    width: 1200,
    height: 800,
    bytes: 1,
    name: '',
    folder: 'x',
  } as const;
  const rest = { files: '{}', created_at: 1, created_by: userId, is_moving: 0, alt: null, removed_at: null } as const;
  const images = [
    { hash: hashOf(1), alt: 'A "loaf"' },
    { hash: hashOf(2) },
    { hash: hashOf(3), is_moving: 1 as const },
    { hash: hashOf(4), removed_at: 5 },
  ];
  const rows = images.map((own) => ({ ...common, ...rest, ...own }));
  await db.transaction().execute((trx) => trx.insertInto('media').values(rows).execute());
}

const children = [
  { name: 'One', body: `<p>Text</p>${image(1)}${image(2)}` },
  { name: 'Markdown', body: `Text ![x](/media/${hashOf(2)}-1200x800.webp)`, format: 'markdown_format' },
  { name: 'Moving', body: `${image(3)}${image(4)}${image(2)}` },
  { name: 'Removed', body: image(4) },
  { name: 'Comment', body: `<!-- ${image(1)} --><p>Text</p>` },
  { name: 'Late', body: `<p>${'x'.repeat(20_000)}</p>${image(1)}` },
  { name: 'Foreign', body: image(9) },
  { name: 'None', body: '<p>Text</p>' },
];

/** Returns the names of the listed pages, each with the first digit of its picture's hash. */
const listed = (text: string) =>
  [...text.matchAll(/<li><h3><a href="[^"]*">(.*?)<\/a>([\s\S]*?)<\/li>/g)].map(([, name, rest]) =>
    `${name} ${/src="\/media\/(\d)/.exec(rest!)?.[1] ?? ''}`.trim(),
  );

onEachDatabase('pictures of pages', (open) => {
  test('themes with pictures list each page with its first still image that exists', async (t) => {
    const site = await startWithSite(t, open, [{ name: 'Home' }, { name: 'Work', children }]);
    await addImages(site.db, site);
    const inTheme = async (theme: Theme, path: string) => {
      await site.db.transaction().execute((trx) => changeSite(trx, site.accountId, { theme }));
      return (await site.visit(path)).text;
    };
    const expected = ['One 1', 'Markdown 2', 'Moving 2', 'Removed', 'Comment', 'Late', 'Foreign', 'None'];
    const business = await inTheme('business', '/work');
    assert.deepEqual(listed(business), expected);
    assert.match(
      business,
      /<picture class="card-picture"><source type="image\/avif" srcset="[^"]*-480x320\.avif 480w, [^"]*-1200x800\.avif 1200w"/,
    );
    assert.match(business, /width="1200" height="800" alt="A &quot;loaf&quot;" loading="lazy"/);
    assert.deepEqual(listed(await inTheme('portfolio', '/work')), expected);
    assert.deepEqual(listed(await inTheme('portfolio', '/')), expected);
    assert.doesNotMatch(await inTheme('typographic', '/work'), /<picture/);
  });

  test('page pictures change at once when an image is removed, restored or described', async (t) => {
    const site = await startWithSite(t, open, [{ name: 'Home' }, { name: 'Work', children: children.slice(0, 1) }]);
    const { db, accountId, userId } = site;
    await addImages(db, site);
    await db.transaction().execute((trx) => changeSite(trx, accountId, { theme: 'business' }));
    const { id } = await db.selectFrom('media').select('id').where('hash', '=', hashOf(1)).executeTakeFirstOrThrow();
    const by = actor(userId);
    const shown = async () => (await site.visit('/work')).text;
    assert.deepEqual(listed(await shown()), ['One 1']);
    const change = { id, alt: 'Bread' };
    await db.transaction().execute((trx) => changeMedia(trx, accountId, change, by));
    assert.match(await shown(), /alt="Bread"/);
    await db.transaction().execute((trx) => removeMedia(trx, accountId, id, by));
    assert.deepEqual(listed(await shown()), ['One 2']);
    await db.transaction().execute((trx) => restoreMedia(trx, accountId, id, by));
    assert.deepEqual(listed(await shown()), ['One 1']);
  });
});
