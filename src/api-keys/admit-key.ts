import type { UserActor } from '../audit/record-audit-event.ts';
import { assistantName, shownName } from '../audit/shown-name.ts';
import type { Trx } from '../db/database.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { assertKeyActive, invalidKey } from './assert-key-active.ts';
import type { KeyOwner } from './find-api-key.ts';

/**
 * Locks the account, checks that the key is still valid, and returns the user in whose name it acts.
 * @throws AppError `unauthorized`, `suspended`
 */
export async function admitKey(
  trx: Trx,
  { accountId, userId, keyId, isAssistant }: Pick<KeyOwner, 'accountId' | 'userId' | 'keyId' | 'isAssistant'>,
  ip: string,
): Promise<UserActor> {
  await lockAccount(trx, accountId);
  await assertKeyActive(trx, accountId, keyId);
  const user = await trx
    .selectFrom('users')
    .select(shownName('users').as('name'))
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!user) throw invalidKey();
  return { userId, name: isAssistant ? assistantName(user.name) : user.name, ip, keyId };
}
