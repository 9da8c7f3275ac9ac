import type { Db } from '../db/database.ts';

/**
 * A query for the users of a mail address (its `emailKey`) in all accounts, or in the one with the subdomain: those that
 * signed in last first. It is before anybody is signed in, and so of no account.
 */
export function usersOfAddress(db: Db, email: string, subdomain: string | undefined) {
  const query = db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select((e) => [
      'users.account_id as accountId',
      'users.id as userId',
      'users.name as userName',
      e
        .selectFrom('sessions')
        .select((s) => s.fn.coalesce(s.fn.max('sessions.id'), s.lit(0)).as('last'))
        .whereRef('sessions.account_id', '=', 'users.account_id')
        .whereRef('sessions.user_id', '=', 'users.id')
        .as('last'),
    ])
    .where('users.email_key', '=', email)
    .where('users.removed_at', 'is', null)
    .orderBy('last', 'desc')
    .orderBy('users.id', 'desc');
  return subdomain === undefined ? query : query.where('accounts.subdomain', '=', subdomain);
}
