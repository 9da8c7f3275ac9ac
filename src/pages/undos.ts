import type { Trx } from '../db/database.ts';
import type { PageStatus } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { Refusal } from '../refusal.ts';

/*
 * The undo of changes of pages. `removals` has the undo for users, passkeys, keys and domains, and images have it in their
 * rows.
 */

/** How long a change can be undone: 30 days. */
export const UNDO_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** The data with which each kind of change is undone. */
interface UndoPayloads {
  /**
   * `revisionId` is the revision with the former fields; undefined if no field changed. `status` is the former status, if it
   * changed. The undo is refused if another change was made since `version`.
   */
  update: {
    pageId: number;
    version: number;
    revisionId?: number | undefined;
    fields: readonly string[];
    status?: PageStatus | undefined;
  };
  /** The former place of the page. */
  move: { pageId: number; parentId: number | null; position: number; urlname: string };
  /** The deleted page, and the number of pages deleted with it, including itself. They are in `removed_pages`. */
  delete: { pageId: number; pages: number };
}

type UndoKind = keyof UndoPayloads;
export type Undo = { [K in UndoKind]: { kind: K; payload: UndoPayloads[K] } }[UndoKind];

interface UndoableChange {
  userId: number;
  /** The account's version that the change produced. */
  version: number;
  /** True if the change has undone another one. */
  isUndo?: boolean;
}

/** Records how to undo the change, and returns the id of the undo. */
export async function recordUndo(
  trx: Trx,
  accountId: number,
  { userId, version, isUndo = false }: UndoableChange,
  { kind, payload }: Undo,
): Promise<number> {
  const { id } = await trx
    .insertInto('undos')
    .values({
      account_id: accountId,
      user_id: userId,
      kind,
      payload: JSON.stringify(payload),
      created_at: Date.now(),
      used_at: null,
      version,
      page_id: payload.pageId,
      is_undo: isUndo ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Marks the undo as used and returns its payload.
 * @throws AppError `not_found` if there is no such undo, or it is too old; `conflict` if it has been used
 */
export async function takeUndo(trx: Trx, accountId: number, id: number): Promise<Undo> {
  const now = Date.now();
  const undo = await trx
    .selectFrom('undos')
    .select(['kind', 'payload', 'used_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('created_at', '>', now - UNDO_RETENTION_MS)
    .executeTakeFirst();
  if (!undo) throw notFound('The change to undo');
  if (undo.used_at !== null) throw new Refusal('conflict', { reason: 'undone_already' });
  await trx
    .updateTable('undos')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
  return { kind: undo.kind, payload: JSON.parse(undo.payload) } as Undo;
}
