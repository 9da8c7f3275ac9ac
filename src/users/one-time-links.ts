import type { Db, Trx } from '../db/database.ts';
import { preparedInsertMany } from '../db/prepared-rows.ts';
import type { LinkPurpose } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { suspended } from './suspended.ts';
import { hashToken, newToken } from './token.ts';

export type { LinkPurpose };

const MINUTE_MS = 60_000;

/** How long each kind of link works. */
export const LINK_LIFETIMES_MS: Readonly<Record<LinkPurpose, number>> = {
  reset_password: 30 * MINUTE_MS,
  invitation: 7 * 24 * 60 * MINUTE_MS,
  sign_in: 30 * MINUTE_MS,
  change_email: 30 * MINUTE_MS,
};

/**
 * Creates a link that works once, and returns its token. The token cannot be read again: the database has only its hash. For
 * `change_email`, `email` is the address that the user wants to change to.
 */
export async function makeLink(
  trx: Trx,
  accountId: number,
  userId: number,
  purpose: LinkPurpose,
  email: string | null = null,
): Promise<string> {
  const token = newToken();
  await storeLinks(trx, [{ accountId, userId, token, email }], purpose);
  return token;
}

/** Stores links that work once, for users of any accounts. Each token must be new (`newToken`). */
export async function storeLinks(
  trx: Trx,
  links: ReadonlyArray<{ accountId: number; userId: number; token: string; email?: string | null }>,
  purpose: LinkPurpose,
): Promise<void> {
  const now = Date.now();
  const rows = links.map(({ accountId, userId, token, email = null }) => ({
    account_id: accountId,
    user_id: userId,
    purpose,
    token_hash: hashToken(token),
    created_at: now,
    expires_at: now + LINK_LIFETIMES_MS[purpose],
    email,
  }));
  await insert(trx, rows);
}

const insert = preparedInsertMany('one_time_links', {
  account_id: 'bigint',
  user_id: 'bigint',
  purpose: 'text',
  token_hash: 'text',
  created_at: 'bigint',
  expires_at: 'bigint',
  email: 'text',
});

interface FoundLink {
  purpose: LinkPurpose;
  accountId: number;
  userId: number;
  userName: string;
  /** The address that the link was mailed to. */
  email: string;
  accountName: string;
  subdomain: string;
}

/**
 * Returns the link of the token, if it has one of these purposes. The link stays valid.
 * @throws AppError `not_found` when it was used, is too old, or never existed; `suspended`
 */
export async function findLink(db: Db, token: string, purposes: readonly LinkPurpose[]): Promise<FoundLink> {
  const link = await db
    .selectFrom('one_time_links as links')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'links.account_id').onRef('users.id', '=', 'links.user_id'),
    )
    .innerJoin('accounts', 'accounts.id', 'links.account_id')
    .select((e) => [
      'links.purpose',
      'links.account_id as accountId',
      'links.user_id as userId',
      'users.name as userName',
      e.fn.coalesce('links.email', 'users.email').as('email'),
      'accounts.name as accountName',
      'accounts.subdomain',
      'accounts.status',
    ])
    .where('links.token_hash', '=', hashToken(token))
    .where('links.purpose', 'in', purposes)
    .where('links.used_at', 'is', null)
    .where('links.expires_at', '>', Date.now())
    .where('users.removed_at', 'is', null)
    .executeTakeFirst();
  if (!link) throw invalidLink();
  if (link.status === 'suspended') throw await suspended(db, link.accountId);
  return link;
}

/**
 * Marks the link as used: of two concurrent attempts, one succeeds. It locks the account, so callers run it first in their
 * transaction.
 * @throws AppError `not_found`
 */
export async function spendLink(trx: Trx, { accountId, userId }: FoundLink, token: string): Promise<void> {
  await lockAccount(trx, accountId);
  const now = Date.now();
  const { numUpdatedRows } = await updateUnused(trx, accountId, userId, now)
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw invalidLink();
}

/** Voids all unused links of the user, or only the links for one purpose. */
export async function voidLinks(trx: Trx, accountId: number, userId: number, purpose?: LinkPurpose): Promise<void> {
  let links = updateUnused(trx, accountId, userId, Date.now());
  if (purpose !== undefined) links = links.where('purpose', '=', purpose);
  await links.execute();
}

function updateUnused(trx: Trx, accountId: number, userId: number, now: number) {
  return trx
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null);
}

function invalidLink(): AppError {
  return new AppError('not_found', 'This link has been used or has expired. Ask for a new one.');
}
