import { violatedUniqueRule } from '../../db/constraint.ts';
import type { Trx } from '../../db/database.ts';
import { notFound } from '../../errors.ts';
import { Refusal } from '../../refusal.ts';
import { takeRemoval } from '../../removals/take-removal.ts';

/**
 * Restores a passkey that the user removed. Only the session that removed it can: a user who removes an intruder's
 * passkey must not have them restore it. Returns its name.
 * @throws AppError `not_found`; `conflict` when it is too late, or the passkey was made anew.
 */
export async function restorePasskey(
  trx: Trx,
  accountId: number,
  { userId, sessionId, id }: { userId: number; sessionId: number; id: number },
): Promise<string> {
  const { row, ...removal } = await takeRemoval(trx, accountId, 'passkey', id);
  if (row.user_id !== userId || removal.sessionId !== sessionId) throw notFound('What was removed');
  try {
    await trx.insertInto('passkeys').values(row).execute();
  } catch (error) {
    if (violatedUniqueRule(error) !== 'passkeys_credential') throw error;
    throw new Refusal('conflict', { reason: 'passkey_exists' });
  }
  return row.name;
}
