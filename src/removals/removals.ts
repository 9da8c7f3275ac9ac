import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import type { DomainsTable, PasskeysTable, RecoveryCodesTable, SecondFactorsTable } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { Refusal } from '../refusal.ts';

/*
 * How removals of what lets somebody in are undone. Changes of pages are undone by `pages/undos.ts`, and deleted images by
 * their own rows.
 */

/** How long a removal can be undone: 10 minutes. */
export const REMOVAL_RETENTION_MS = 10 * 60 * 1000;

/** The payload that restores each kind of thing. */
export interface RemovalPayloads {
  /** The row that is deleted. */
  domain: Selectable<DomainsTable>;
  /** Its row stays, revoked. `withUser`: because its user was removed, or may not have any; with them it comes back. */
  key: { withUser: boolean };
  /** Includes the session that removed it: only that session can restore it. */
  passkey: { row: Selectable<PasskeysTable>; sessionId: number };
  /** The user's credentials. The user's row stays, without them. */
  user: {
    passwordHash: string | null;
    passkeys: Selectable<PasskeysTable>[];
    secondFactors: Selectable<SecondFactorsTable>[];
    recoveryCodes: Selectable<RecoveryCodesTable>[];
  };
}

type RemovalKind = keyof RemovalPayloads;

interface RemovalOf<K extends RemovalKind> {
  kind: K;
  subjectId: number;
  /** The user who removes it. */
  userId: number;
  payload: RemovalPayloads[K];
}

/** Stores what is needed to undo a removal, in place of an earlier one of the same thing. */
export async function recordRemoval<K extends RemovalKind>(
  trx: Trx,
  accountId: number,
  { kind, subjectId, userId, payload }: RemovalOf<K>,
): Promise<void> {
  await dropRemovals(trx, accountId, kind, [subjectId]);
  await trx
    .insertInto('removals')
    .values({
      account_id: accountId,
      user_id: userId,
      kind,
      subject_id: subjectId,
      created_at: Date.now(),
      payload: JSON.stringify(payload),
    })
    .execute();
}

/**
 * Deletes and returns what is needed to restore the thing. Of two concurrent calls, one gets it.
 * @throws AppError `not_found` when it was not removed, or has been had back; `conflict` when that was too long ago.
 */
export async function takeRemoval<K extends RemovalKind>(
  trx: Trx,
  accountId: number,
  kind: K,
  subjectId: number,
): Promise<RemovalPayloads[K]> {
  const taken = await deleteRemovals(trx, accountId, kind, [subjectId])
    .returning(['payload', 'created_at'])
    .executeTakeFirst();
  if (!taken) throw notFound('What was removed');
  if (taken.created_at <= Date.now() - REMOVAL_RETENTION_MS) {
    throw new Refusal('conflict', { reason: 'removed_too_long_ago' });
  }
  return JSON.parse(taken.payload) as RemovalPayloads[K];
}

/** Makes removals final, if there are any of these things. */
export async function dropRemovals(
  trx: Trx,
  accountId: number,
  kind: RemovalKind,
  subjectIds: readonly number[],
): Promise<void> {
  if (subjectIds.length > 0) await deleteRemovals(trx, accountId, kind, subjectIds).execute();
}

/** Deletes removals that can no longer be undone. Returns how many. */
export function pruneRemovals(db: Db, now = Date.now()): Promise<number> {
  const where = sql`created_at <= ${now - REMOVAL_RETENTION_MS}`;
  return deleteInBatches(db, { table: 'removals', key: ['id'], where });
}

function deleteRemovals(trx: Trx, accountId: number, kind: RemovalKind, subjectIds: readonly number[]) {
  return trx
    .deleteFrom('removals')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('subject_id', 'in', subjectIds);
}
