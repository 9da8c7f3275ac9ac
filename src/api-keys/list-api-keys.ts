import type { Db } from '../db/database.ts';

/** The account's keys, newest first, without anything one could use as a key. */
export function listApiKeys(db: Db, accountId: number) {
  return db
    .selectFrom('api_keys')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'api_keys.account_id').onRef('users.id', '=', 'api_keys.user_id'),
    )
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.last4',
      'users.name as userName',
      'api_keys.created_at',
      'api_keys.expires_at',
      'api_keys.revoked_at',
      'api_keys.last_used_at',
      'api_keys.last_used_ip',
    ])
    .where('api_keys.account_id', '=', accountId)
    .orderBy('api_keys.id', 'desc')
    .execute();
}
