import type { Db } from '../db/database.ts';
import type { FairnessKey } from '../fair-semaphore.ts';
import { findUpperAccounts } from './find-upper-accounts.ts';

/**
 * The holder of a share of memory, disk or processor time. For an account, these are the two uppermost accounts above it (see
 * `findUpperAccounts`). For a client without an account, both ids are the network.
 */
export interface Holder {
  readonly topLevelId: FairnessKey;
  readonly customerId: FairnessKey;
}

/** Finds the holder. Only requests that need a share call it: most are too small. */
export type FindHolder = () => Promise<Holder>;

/** Returns a function that finds the holder of an account's shares. */
export function holderFinder(db: Db, accountId: number): FindHolder {
  return () => findUpperAccounts(db, accountId);
}

/** Returns a function that finds the holder of the shares of a client without an account. */
export function strangerHolderFinder(network: string): FindHolder {
  return async () => ({ topLevelId: network, customerId: network });
}
