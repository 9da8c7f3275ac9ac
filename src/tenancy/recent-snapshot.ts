import { counts } from '../counts.ts';
import type { Db, Trx } from '../db/database.ts';
import { DatabaseOutage } from '../db/database-outage.ts';
import { type Replica, replicaOf } from '../db/replica.ts';
import { snapshot } from '../db/snapshot.ts';
import { AppError } from '../errors.ts';
import { findContentVersion } from './content-version.ts';

interface Wanted {
  readonly accountId: number;
  /** As the primary has just told it. */
  readonly contentVersion: number;
}

/**
 * Runs `read` in one consistent view of the account's pages and settings, which is at least as new as the version: on the replica, if
 * there is one and it has come so far, and else on the primary. `read` may be called a second time. It may read only what raises the
 * content version when it changes.
 */
export async function recentSnapshot<T>(db: Db, wanted: Wanted, read: (trx: Trx) => Promise<T>): Promise<T> {
  const replica = replicaOf(db);
  if (!replica) return snapshot(db, read);
  try {
    const found = await snapshot(replica.db, async (trx) => {
      const version = await findContentVersion(trx, wanted.accountId);
      return version < wanted.contentVersion ? undefined : { result: await read(trx) };
    });
    note(replica, undefined);
    if (found) {
      counts.snapshots.replica += 1;
      return found.result;
    }
  } catch (error) {
    // A refusal by `read` itself would be the same on the primary.
    if (error instanceof AppError && !(error instanceof DatabaseOutage)) throw error;
    if (!isConflict(error)) note(replica, error);
  }
  counts.snapshots.primary += 1;
  return snapshot(db, read);
}

function note(replica: Replica, reason: unknown): void {
  const isFailing = reason !== undefined;
  if (replica.isFailing === isFailing) return;
  replica.isFailing = isFailing;
  replica.onChange(reason);
}

/** Whether the query was ended since the replica had to apply a change that it stood in the way of: nothing is wrong with the replica. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40001';
}
