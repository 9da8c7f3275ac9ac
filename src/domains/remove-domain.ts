import type { Trx } from '../db/database.ts';
import { recordRemoval } from '../removals/record-removal.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { type DomainRow, getDomain } from './domain.ts';

/**
 * Takes a host from the account. Its token is gone with it: whoever adds the host again has to prove it again. Where a
 * user of the account does it, and not the operator, it can be undone for 10 minutes. Returns the domain as it was.
 * @throws AppError `not_found` when the account has no such domain.
 */
export async function removeDomain(
  trx: Trx,
  accountId: number,
  { host, userId }: { host: string; userId: number | null },
): Promise<DomainRow> {
  await raiseContentVersion(trx, accountId, Date.now());
  const domain = await getDomain(trx, accountId, host);
  await trx.deleteFrom('domains').where('account_id', '=', accountId).where('id', '=', domain.id).execute();
  if (userId !== null) {
    await recordRemoval(trx, accountId, { kind: 'domain', subjectId: domain.id, userId, payload: domain });
  }
  return domain;
}
