import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorAuditEvents, runCli, runCliJson } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makePage, quota } from '../../test/factories.ts';
import { addMedia } from '../media/add-media.ts';
import { removeMedia } from '../media/remove-media.ts';
import { deletePage } from '../pages/delete-page.ts';

onEachDatabase('trash commands', (open) => {
  test('trash list and trash restore list and restore pages and images', async (t) => {
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db, 'acme');
    const parent = await makePage(db, accountId, { userId, name: 'About' });
    const child = await makePage(db, accountId, { userId, name: 'Team', parentId: String(parent) });
    const hash = '0123456789abcdef0123456789abcdef';
    const image = { hash, kind: 'png', width: 2, height: 1, isMoving: false, name: 'a.png', folder: '1/a' } as const;
    const media = await db.transaction().execute(async (trx) => {
      await deletePage(trx, accountId, parent, actor(userId));
      const added = await addMedia(
        trx,
        accountId,
        { ...image, quota, files: { [`${hash}-2x1.webp`]: 1 } },
        actor(userId),
      );
      return removeMedia(trx, accountId, added.media.id, actor(userId));
    });
    const { trash } = await runCliJson(config, 'trash', 'list', 'acme');
    const { deleted_at, deleted_for_good_at } = trash[0];
    assert.deepEqual(trash, [
      { id: `page_${parent}`, name: 'About', pages: 2, deleted_at, deleted_by: 'Olivia Owner', deleted_for_good_at },
    ]);
    assert.equal(Date.parse(deleted_for_good_at) - Date.parse(deleted_at), 30 * 24 * 60 * 60 * 1000);
    const images = await runCliJson(config, 'trash', 'list', 'acme', '--images');
    assert.deepEqual(
      images.trash.map(({ id, name }: { id: string; name: string }) => [id, name]),
      [[`media_${media.id}`, 'a.png']],
    );
    const alone = await runCli(config, 'trash', 'restore', 'acme', `page_${child}`);
    assert.equal(
      alone.out,
      '"Team" is restored. Its former parent is gone: it is below the nearest page that still exists.\n',
    );
    assert.deepEqual(await runCliJson(config, 'trash', 'restore', 'acme', `page_${parent}`), {
      restored: { id: `page_${parent}`, name: 'About', pages: 1, is_elsewhere: false },
    });
    const { out } = await runCli(config, 'trash', 'restore', 'acme', `media_${media.id}`);
    assert.equal(out, '"a.png" is restored.\n');
    assert.equal((await runCli(config, 'trash', 'list', 'acme')).out, 'There are no pages in the trash.\n');
    assert.equal((await runCli(config, 'trash', 'restore', 'acme', `page_${parent}`)).code, 1);
    assert.equal((await runCli(config, 'trash', 'restore', 'acme', 'About')).code, 2);
    assert.deepEqual(await operatorAuditEvents(db), ['page.undone Team', 'page.undone About', 'media.restored a.png']);
  });
});
