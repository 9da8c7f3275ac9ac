import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import type { DomainsTable, PasskeysTable, RecoveryCodesTable, SecondFactorsTable } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { Refusal } from '../refusal.ts';

/*
 * Undoes removals of credentials, users and domains. `pages/undos.ts` undoes changes of pages, and deleted images are
 * restored from their own rows.
 */

/** How long a removal can be undone: 10 minutes. */
export const REMOVAL_RETENTION_MS = 10 * 60 * 1000;

/** The payload that restores a removed subject, by kind. */
export interface RemovalPayloads {
  /** The deleted row. */
  domain: Selectable<DomainsTable>;
  /**
   * The key's row stays, revoked. `withUser` is true if the key was revoked because its user was removed or lost the
   * permission. It is then restored with the user.
   */
  key: { withUser: boolean };
  /** The deleted row, and the session that removed it: only that session can restore it. */
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
  /** The user who removes the subject. */
  userId: number;
  payload: RemovalPayloads[K];
}

/** Stores the payload of a removal, replacing an earlier one of the same subject. */
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
 * Deletes and returns the payload that restores a subject. Of two concurrent calls, one gets it.
 * @throws AppError `not_found` when the subject was not removed or has been restored; `conflict` when the removal is too
 * old.
 */
export async function takeRemoval<K extends RemovalKind>(
  trx: Trx,
  accountId: number,
  kind: K,
  subjectId: number,
): Promise<RemovalPayloads[K]> {
  const removal = await deleteRemovals(trx, accountId, kind, [subjectId])
    .returning(['payload', 'created_at'])
    .executeTakeFirst();
  if (!removal) throw notFound(`The removed ${kind}`);
  if (removal.created_at <= Date.now() - REMOVAL_RETENTION_MS) {
    throw new Refusal('conflict', { reason: 'removed_too_long_ago' });
  }
  return JSON.parse(removal.payload) as RemovalPayloads[K];
}

/** Makes the removals of the subjects final, if there are any. */
export async function dropRemovals(
  trx: Trx,
  accountId: number,
  kind: RemovalKind,
  subjectIds: readonly number[],
): Promise<void> {
  if (subjectIds.length > 0) await deleteRemovals(trx, accountId, kind, subjectIds).execute();
}

/** Deletes removals that can no longer be undone. Returns how many. */
export function pruneRemovals(db: Db): Promise<number> {
  const where = sql`created_at <= ${Date.now() - REMOVAL_RETENTION_MS}`;
  return deleteInBatches(db, { table: 'removals', key: ['id'], where });
}

function deleteRemovals(trx: Trx, accountId: number, kind: RemovalKind, subjectIds: readonly number[]) {
  return trx
    .deleteFrom('removals')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('subject_id', 'in', subjectIds);
}
