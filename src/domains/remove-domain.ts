import type { Trx } from '../db/database.ts';
import { raiseContentVersion } from '../pages/content-version.ts';
import { type DomainRow, getDomain } from './domain.ts';

/**
 * Takes a host from the account. Its token is gone with it: whoever adds the host again has to prove it again.
 * Returns the domain as it was.
 * @throws AppError `not_found` when the account has no such domain.
 */
export async function removeDomain(trx: Trx, accountId: number, host: string): Promise<DomainRow> {
  await raiseContentVersion(trx, accountId, Date.now());
  const domain = await getDomain(trx, accountId, host);
  await trx.deleteFrom('domains').where('account_id', '=', accountId).where('id', '=', domain.id).execute();
  return domain;
}
