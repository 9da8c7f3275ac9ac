import { LRUCache } from 'lru-cache';
import type { Db } from '../db/database.ts';
import { findUpperAccounts } from '../tenancy/find-upper-accounts.ts';
import { type Holder, strangerHolderFinder } from '../tenancy/holder.ts';
import { network } from './client.ts';
import type { RequestContext } from './request-context.ts';

/** The most accounts that are cached with the accounts above them, which never change. */
const MAX_REMEMBERED = 10_000;

/** Finds the holder for a request: the account of its key, its user or its site, or a stranger's network. */
export type FindRequestHolder = (ctx: RequestContext) => Holder | Promise<Holder>;

/** Returns a function that finds holders. It returns a cached holder at once. */
export function requestHolderFinder(db: Db): FindRequestHolder {
  const known = new LRUCache<number, Holder>({ max: MAX_REMEMBERED });
  const find = async (accountId: number) => {
    const holder = await findUpperAccounts(db, accountId);
    known.set(accountId, holder);
    return holder;
  };
  return ({ keyOwner, sessionOwner, siteAccountId, ip }) => {
    const accountId = keyOwner?.accountId ?? sessionOwner?.accountId ?? siteAccountId;
    return accountId === undefined ? strangerHolderFinder(network(ip))() : (known.get(accountId) ?? find(accountId));
  };
}
