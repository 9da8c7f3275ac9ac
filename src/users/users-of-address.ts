import type { ExpressionBuilder } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { isBelow } from '../tenancy/is-below.ts';

export interface AddressSearch {
  /** The address, as its `emailKey`. */
  email: string;
  /** The subdomain of the account, if the user named one. */
  account: string | undefined;
  /** The network that the request comes from. */
  network: string;
  /** The agency whose host the request came to. Only users of accounts below that agency are found there. */
  belowAccount: number | undefined;
}

/** Returns the subdomain that a person entered; undefined if they entered none. */
export function accountKey(account: string | undefined): string | undefined {
  return account?.trim().toLowerCase() || undefined;
}

/**
 * Selects the users of a mail address in all accounts, or in the account with the given subdomain. The query is not limited
 * to one account, because nobody is signed in yet. A subdomain that the account gave up still works (see `isNamed`), since
 * earlier mail links to it.
 *
 * Callers take the first few users, and anybody can have any number of accounts made for another person's address. A
 * stranger must therefore not be able to influence the order. Users whose password was chosen by a link mailed to the
 * address come first, then users who have signed in from this network, then the oldest.
 */
export function usersOfAddress(db: Db, { email, account, network, belowAccount }: AddressSearch) {
  const query = db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select((e) => [
      'users.account_id as accountId',
      'users.id as userId',
      'users.name as userName',
      e('users.address_proved_at', 'is not', null).as('isProved'),
      e
        .exists(
          e
            .selectFrom('sessions')
            .select('sessions.id')
            .whereRef('sessions.account_id', '=', 'users.account_id')
            .whereRef('sessions.user_id', '=', 'users.id')
            .where('sessions.network', '=', network)
            .where('sessions.expires_at', '>', Date.now()),
        )
        .as('isKnown'),
    ])
    .where('users.email_key', '=', email)
    .where('users.removed_at', 'is', null)
    .$if(belowAccount !== undefined, (users) => users.where(isBelow('accounts.id', belowAccount!)))
    .orderBy('isProved', 'desc')
    .orderBy('isKnown', 'desc')
    .orderBy('users.id');
  if (account === undefined) return query;
  return query.where((e) => isNamed(e, account));
}

/** Selects whether a subdomain names the account: its own, or one that it gave up and no other account has taken. */
export function isNamed(e: ExpressionBuilder<Schema, 'accounts'>, subdomain: string) {
  return e.or([
    e('accounts.subdomain', '=', subdomain),
    e(
      'accounts.id',
      '=',
      e
        .selectFrom('released_subdomains')
        .select('account_id')
        .where('subdomain', '=', subdomain)
        .where(({ not, exists }) =>
          not(exists(e.selectFrom('accounts as present').select('id').where('subdomain', '=', subdomain))),
        ),
    ),
  ]);
}
