import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { validateLabel } from '../name.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { setName } from './set-name.ts';

/**
 * Changes the name of the signed-in user. Raises the content version, since the list of pages shows the name.
 * @throws ValidationError
 */
export async function changeOwnName(trx: Trx, accountId: number, given: string, by: UserActor): Promise<void> {
  const { userId } = by;
  await raiseContentVersion(trx, accountId, Date.now());
  const name = given.trim();
  const problem = validateLabel(name);
  if (problem) throw new ValidationError([{ field: 'name', ...problem }]);
  await setName(trx, accountId, userId, name);
  if (name === by.name) return;
  await recordAuditEvent(trx, accountId, by, { action: 'user.changed', subject: `user_${userId}`, details: { name } });
}
