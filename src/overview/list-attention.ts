import type { Db } from '../db/database.ts';
import type { Attention, AttentionKind } from './attention.ts';
import {
  findAtLimit,
  findChangesFailed,
  findDomainsFailing,
  findMailFailed,
  findNeverSignedIn,
} from './customers-in-need.ts';
import { findKeysExpiring, findOwnDomainsFailing } from './own-needs.ts';

interface AttentionInput {
  /** Customers created later have not had time to sign in. */
  createdBefore: number;
  /** True to include the account's own domains and keys, which concern only people who may change them. */
  withOwn: boolean;
}

/** Lists what needs attention in the account today, the most urgent first. Kinds without a problem are left out. */
export async function listAttention(
  db: Db,
  accountId: number,
  { createdBefore, withOwn }: AttentionInput,
): Promise<Attention[]> {
  const customers = {
    mail_failed: findMailFailed(db, accountId),
    changes_failed: findChangesFailed(db, accountId),
    never_signed_in: findNeverSignedIn(db, accountId, createdBefore),
    domains_failing: findDomainsFailing(db, accountId),
    at_limit: findAtLimit(db, accountId),
  };
  const own = withOwn && {
    own_domains_failing: findOwnDomainsFailing(db, accountId),
    keys_expiring: findKeysExpiring(db, accountId),
  };
  const all = await Promise.all(
    Object.entries({ ...customers, ...own }).map(async ([kind, found]) => ({
      kind: kind as AttentionKind,
      ...(await found),
    })),
  );
  return all.filter(({ count }) => count > 0);
}
