import type { Trx } from '../db/database.ts';
import { raiseContentVersion } from '../pages/content-version.ts';
import { getDomain } from './domain.ts';

/**
 * Takes a host from the account. Its token is gone with it: whoever adds the host again has to prove it again.
 * @throws AppError `not_found` when the account has no such domain.
 */
export async function removeDomain(trx: Trx, accountId: number, host: string): Promise<void> {
  await raiseContentVersion(trx, accountId, Date.now());
  const { id } = await getDomain(trx, accountId, host);
  await trx.deleteFrom('domains').where('account_id', '=', accountId).where('id', '=', id).execute();
}
