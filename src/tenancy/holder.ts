import type { Db } from '../db/database.ts';
import type { FairnessKey } from '../fair-semaphore.ts';
import { findUpperAccounts } from './find-upper-accounts.ts';

/** Who holds a share of something scarce: the uppermost accounts above an account (see `findUpperAccounts`), or a stranger's network as both. */
export interface Holder {
  readonly topLevelId: FairnessKey;
  readonly customerId: FairnessKey;
}

/** Finds the holder. It is called only when something is shared out: most requests are too small for that. */
export type FindHolder = () => Promise<Holder>;

/** Returns how the holder of an account's shares is found. */
export function holderFinder(db: Db, accountId: number): FindHolder {
  return () => findUpperAccounts(db, accountId);
}

/** Returns how the holder of a stranger's shares is found. */
export function strangerHolderFinder(network: string): FindHolder {
  return async () => ({ topLevelId: network, customerId: network });
}
