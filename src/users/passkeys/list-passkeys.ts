import type { Db } from '../../db/database.ts';

/** Returns the user's passkeys, oldest first. */
export function listPasskeys(db: Db, accountId: number, userId: number) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'credential_id', 'transports', 'is_backed_up', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}
