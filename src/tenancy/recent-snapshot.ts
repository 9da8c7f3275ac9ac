import { counts } from '../counts.ts';
import type { Db, Trx } from '../db/database.ts';
import { DatabaseOutage } from '../db/database-outage.ts';
import { type Replica, replicaOf } from '../db/replica.ts';
import { snapshot } from '../db/snapshot.ts';
import { AppError } from '../errors.ts';
import { findContentVersion } from './content-version.ts';

interface Wanted {
  readonly accountId: number;
  /** The version that the primary has just returned. */
  readonly contentVersion: number;
}

/**
 * Runs `read` in one consistent view of the account's pages and settings, which is at least as new as the version. Uses the
 * replica if there is one that has the version, and otherwise the primary. `read` may be called twice. It may only read data
 * whose changes raise the content version.
 */
export async function recentSnapshot<T>(db: Db, wanted: Wanted, read: (trx: Trx) => Promise<T>): Promise<T> {
  const replica = replicaOf(db);
  if (!replica) return snapshot(db, read);
  try {
    const found = await snapshot(replica.db, async (trx) => {
      const version = await findContentVersion(trx, wanted.accountId);
      return version < wanted.contentVersion ? undefined : { result: await read(trx) };
    });
    setFailing(replica, undefined);
    if (found) {
      counts.snapshots.replica += 1;
      return found.result;
    }
  } catch (error) {
    // The primary would refuse a request that `read` itself refuses, too.
    if (error instanceof AppError && !(error instanceof DatabaseOutage)) throw error;
    if (!isConflict(error)) setFailing(replica, error);
  }
  counts.snapshots.primary += 1;
  return snapshot(db, read);
}

function setFailing(replica: Replica, reason: unknown): void {
  const isFailing = reason !== undefined;
  if (replica.isFailing === isFailing) return;
  replica.isFailing = isFailing;
  replica.onChange(reason);
}

/** True if the replica cancelled the query because a change from the primary conflicted with it, which is normal. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40001';
}
