import type { Db } from '../db/database.ts';

/**
 * A query for the users of a mail address (its `emailKey`) in all accounts, or in the one with the subdomain: those that
 * signed in last first. It is before anybody is signed in, and so of no account. A subdomain that nobody has is still that
 * of the account that gave it up: it stands in the mail that brings people here.
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
  if (subdomain === undefined) return query;
  return query.where((e) =>
    e.or([
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
    ]),
  );
}
