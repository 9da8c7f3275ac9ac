import type { Db, Trx } from '../db/database.ts';

/** Returns the account's users, oldest first: the first is the user that the account was created with. */
export function listUsers(db: Db | Trx, accountId: number) {
  return db
    .selectFrom('users')
    .select((e) => [
      'id',
      'name',
      'email',
      'email_key',
      'role',
      'created_at',
      'address_proved_at',
      e('password_hash', 'is not', null).as('hasPassword'),
      e
        .selectFrom('sessions')
        .select((s) => s.fn.max('sessions.last_seen_at').as('seen'))
        .whereRef('sessions.account_id', '=', 'users.account_id')
        .whereRef('sessions.user_id', '=', 'users.id')
        .as('lastSeenAt'),
      e
        .selectFrom('second_factors as factors')
        .select('factors.confirmed_at')
        .whereRef('factors.account_id', '=', 'users.account_id')
        .whereRef('factors.user_id', '=', 'users.id')
        .as('secondFactorSince'),
      e
        .selectFrom('api_keys as keys')
        .select((k) => k.fn.countAll().as('count'))
        .whereRef('keys.account_id', '=', 'users.account_id')
        .whereRef('keys.user_id', '=', 'users.id')
        .where('keys.revoked_at', 'is', null)
        .where((k) => k.or([k('keys.expires_at', 'is', null), k('keys.expires_at', '>', Date.now())]))
        .as('keyCount'),
    ])
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
}
