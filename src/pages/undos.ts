import type { Trx } from '../db/database.ts';
import type { PageStatus } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { Refusal } from '../refusal.ts';

/*
 * The undo of changes of pages. For people, passkeys, keys and domains see `removals`. Images keep theirs in their own rows.
 */

/** How long a change can be undone: 30 days. */
export const UNDO_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** The payload that undoes each kind of change. */
interface UndoPayloads {
  /**
   * The revision has the former fields; it is undefined without fields. `status` is the former one, if it changed. Nothing
   * else may have changed the page since `version`.
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
  /** The page and how many were deleted with it, itself included. They are in `removed_pages`. */
  delete: { pageId: number; pages: number };
}

type UndoKind = keyof UndoPayloads;
export type Undo = { [K in UndoKind]: { kind: K; payload: UndoPayloads[K] } }[UndoKind];

interface UndoableChange {
  userId: number;
  /** The version of the account that it has made. */
  version: number;
  /** Whether it has undone another change. */
  isUndo?: boolean;
}

/** Notes what undoing the change takes, and returns the id by which it is undone. */
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
 * @throws AppError `not_found` for one that is not there or too old, `conflict` for one that has been used.
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
  if (!undo) throw notFound('What is to be undone');
  if (undo.used_at !== null) throw new Refusal('conflict', { reason: 'undone_already' });
  await trx
    .updateTable('undos')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
  return { kind: undo.kind, payload: JSON.parse(undo.payload) } as Undo;
}
