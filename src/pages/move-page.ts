import { sql } from 'kysely';
import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { notFound, ValidationError } from '../errors.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { formatPageId, MAX_DEPTH } from './page.ts';
import { parentKey } from './positions.ts';
import { recordAddresses, UNDONE_VERSION } from './redirects.ts';
import { queueForSearch } from './search-index.ts';
import { countChildren, shiftSiblings, uniqueUrlname } from './siblings.ts';
import { measureSubtree, pathFromRoot } from './subtree.ts';
import { recordUndo } from './undos.ts';
import type { PageChange } from './update-page.ts';

interface MovePageInput {
  id: number;
  /** null for the root. */
  parentId: number | null;
  /** The position among the parent's children, from 1; undefined, or any larger number, for the last. */
  position: number | undefined;
}

/**
 * Moves a page with its descendants. Positions stay 1 to n on both sides. Under another parent, the pages get new URLs,
 * and the old ones redirect.
 * @throws AppError `not_found`; ValidationError if the parent does not exist, is below the page, or is too deep
 */
export async function movePage(trx: Trx, accountId: number, input: MovePageInput, by: UserActor): Promise<PageChange> {
  const change = await movePageTo(trx, accountId, input, by, undefined);
  const { id, parentId, position } = input;
  const details = { to: parentId && formatPageId(parentId), position };
  const event = { action: 'page.moved', subject: formatPageId(id), details };
  if (change.undo !== undefined) await recordAuditEvent(trx, accountId, by, event);
  return change;
}

/** Like `movePage`, but for an undo: it records no event, and the page gets the urlname `wanted` back if that is free. */
export async function movePageTo(
  trx: Trx,
  accountId: number,
  input: MovePageInput,
  { userId }: UserActor,
  wanted: string | undefined,
): Promise<PageChange> {
  const { version } = await raiseContentVersion(trx, accountId, Date.now());
  const { page, parent, position, changedUrlCount } = await planMove(trx, accountId, input);
  const { id } = page;
  if (parent === page.parent && position === page.position) return { changedUrlCount, undo: undefined };

  // The list of changes has the moved page, but not the siblings that make room for it.
  const setPage = (columns: object) =>
    trx
      .updateTable('pages')
      .set({ ...columns, version, has_changed: 1 })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
  if (parent === page.parent) {
    const { from, to, by } =
      position > page.position
        ? ({ from: page.position + 1, to: position, by: -1 } as const)
        : ({ from: position, to: page.position - 1, by: 1 } as const);
    await shiftSiblings(trx, accountId, parent, { from, to, by }, () => setPage({ position }));
  } else {
    await recordAddresses(trx, accountId, { id, version: wanted === undefined ? version : UNDONE_VERSION });
    const urlname = await uniqueUrlname(trx, accountId, parent, wanted ?? page.urlname);
    const [last, oldLast] = [
      await countChildren(trx, accountId, parent),
      await countChildren(trx, accountId, page.parent),
    ];
    await shiftSiblings(trx, accountId, parent, { from: position, to: last, by: 1 });
    await setPage({ parent_id: parent === 0 ? null : parent, position, urlname });
    await shiftSiblings(trx, accountId, page.parent, { from: page.position + 1, to: oldLast, by: -1 });
  }
  // The page's urlname may have got a number.
  await queueForSearch(trx, accountId, { version, ids: sql`select cast(${id} as bigint) as id` });
  const payload = {
    pageId: id,
    parentId: page.parent === 0 ? null : page.parent,
    position: page.position,
    urlname: page.urlname,
  };
  const undo = await recordUndo(
    trx,
    accountId,
    { userId, version, isUndo: wanted !== undefined },
    { kind: 'move', payload },
  );
  return { changedUrlCount, undo };
}

/** Returns what a move would do, and changes nothing. @throws the errors of `movePage` */
export async function planMove(trx: Trx, accountId: number, { id, parentId, position }: MovePageInput) {
  const page = await trx
    .selectFrom('pages')
    .select(['id', parentKey.as('parent'), 'position', 'urlname'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!page) throw notFound('The page');
  const parent = parentId ?? 0;
  const isSame = parent === page.parent;
  const changedUrlCount = isSame ? 0 : await checkParent(trx, accountId, { id, parent });
  const last = (await countChildren(trx, accountId, parent)) + (isSame ? 0 : 1);
  return {
    page,
    parent,
    position: Math.max(1, Math.min(position ?? last, last)),
    changedUrlCount,
  };
}

/** Checks the new parent, and returns how many pages would get another URL below it. */
async function checkParent(
  trx: Trx,
  accountId: number,
  { id, parent }: { id: number; parent: number },
): Promise<number> {
  const { size, height } = await measureSubtree(trx, accountId, id);
  if (parent === 0) return size;
  const path = await pathFromRoot(trx, accountId, parent);
  const refuse = (code: 'missing' | 'below_itself' | 'too_deep') => new ValidationError([{ field: 'parent_id', code }]);
  if (path.length === 0) throw refuse('missing');
  if (path.some((step) => step.id === id)) throw refuse('below_itself');
  if (path.length + height > MAX_DEPTH) throw refuse('too_deep');
  return size;
}
