import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { snapshot } from '../db/snapshot.ts';
import { listRemovedMedia, type RemovedMedia } from '../media/list-removed-media.ts';
import { formatMediaId } from '../media/media.ts';
import { restoreMedia } from '../media/remove-media.ts';
import { readBatches } from '../operations/read-in-batches.ts';
import { type ListedDeletion, listDeletions } from '../pages/list-deletions.ts';
import { formatPageId } from '../pages/page.ts';
import { restoreFromTrash } from '../pages/restore-from-trash.ts';
import { command, type Group, OptionError } from './command.ts';
import { ACCOUNT, findAccount } from './find-account.ts';
import { mapBatches } from './listing.ts';
import { printable, time } from './output.ts';

/** A page or image in the trash, as it is listed. */
interface Trashed {
  id: string;
  name: string;
  /** The number of pages deleted together; null for an image. */
  pages: number | null;
  deletedAt: number;
  deletedBy: string | null;
  expiresAt: number;
}

const list = command({
  about: 'Lists the pages, or the images, in the trash of an account.',
  details: `${ACCOUNT} Last deleted first.`,
  positionals: ['ACCOUNT'],
  options: { images: { type: 'boolean', about: 'List images instead of pages.' } },
  example: 'acme',
  async run({ db, positionals, values }) {
    const { id } = await findAccount(db, positionals[0]!);
    const show = (row: Trashed) => ({
      id: row.id,
      name: row.name,
      pages: row.pages,
      deleted_at: time(row.deletedAt),
      deleted_by: row.deletedBy,
      deleted_for_good_at: time(row.expiresAt),
    });
    return {
      listing: {
        name: 'trash',
        head: ['ID', 'NAME', 'PAGES', 'DELETED', 'BY', 'UNTIL'],
        empty: values.images ? 'There are no images in the trash.' : 'There are no pages in the trash.',
        parts: mapBatches(mapBatches(values.images ? readImages(db, id) : readPages(db, id), show), (row) => ({
          cells: [
            ...[row.id, row.name, String(row.pages ?? ''), row.deleted_at, row.deleted_by ?? ''],
            row.deleted_for_good_at,
          ],
          json: row,
        })),
      },
    };
  },
});

const restore = command({
  about: 'Restores a page with its sub-pages, or an image, from the trash.',
  details: `${ACCOUNT} ID is printed by \`trash list\`, such as page_12 or media_3.\nA sub-page of a deleted page can be restored alone; its id is in the log.`,
  positionals: ['ACCOUNT', 'ID'],
  example: 'acme page_12',
  async run({ db, positionals: [account, text] }) {
    const { id: accountId } = await findAccount(db, account!);
    const [, kind, digits] = /^(page|media)_([1-9]\d{0,14})$/.exec(text!.trim()) ?? [];
    if (digits === undefined)
      throw new OptionError('ID', 'is not the id of a page or an image, like page_12 or media_3');
    const id = Number(digits);
    if (kind === 'media') {
      const { name } = await db.transaction().execute((trx) => restoreMedia(trx, accountId, id, operator));
      return { text: `"${printable(name)}" is restored.`, json: { restored: { id: formatMediaId(id), name } } };
    }
    const { pages, isElsewhere, name } = await db.transaction().execute(async (trx) => {
      const restored = await restoreFromTrash(trx, accountId, id, operator);
      const page = trx.selectFrom('pages').select('name').where('account_id', '=', accountId).where('id', '=', id);
      return { ...restored, ...(await page.executeTakeFirstOrThrow()) };
    });
    const others = pages > 1 ? ` with ${pages - 1} below it` : '';
    const place = isElsewhere ? ' Its former parent is gone: it is below the nearest page that still exists.' : '';
    return {
      text: `"${printable(name)}" is restored${others}.${place}`,
      json: { restored: { id: formatPageId(id), name, pages, is_elsewhere: isElsewhere } },
    };
  },
});

export const trashCommands: Group = {
  about: 'The trash: pages and images that were deleted in the last 30 days.',
  commands: { list, restore },
};

async function* readPages(db: Db, accountId: number): AsyncGenerator<Trashed[]> {
  const parts = readBatches<ListedDeletion>(async (last, limit) => {
    const input = { before: last?.undo, limit };
    return (await snapshot(db, (trx) => listDeletions(trx, accountId, input))).deletions;
  });
  yield* mapBatches(parts, (deletion) => ({ ...deletion, id: formatPageId(deletion.pageId) }));
}

async function* readImages(db: Db, accountId: number): AsyncGenerator<Trashed[]> {
  const parts = readBatches<RemovedMedia>(
    async (after, limit) => (await listRemovedMedia(db, accountId, { after, limit })).media,
  );
  yield* mapBatches(parts, (media) => {
    const { id, name, removedAt: deletedAt, removedBy: deletedBy, expiresAt } = media;
    return { id: formatMediaId(id), name, pages: null, deletedAt, deletedBy, expiresAt };
  });
}
