import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import type { Flag } from '../db/schema.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { endImpersonations } from './end-impersonation.ts';

/** The access that an account allows the agency that sells it. */
interface AgencyAccess {
  /** True if users of the agency may sign in as the account's users, and its programs may use their keys of the account. */
  isAllowed: boolean;
  /** True if the account's owners are told by mail about such sign-ins. */
  isMailed: boolean;
}

/** Returns the access that the account allows its agency. By default, the agency may sign in, and the owners are told. */
export async function getAgencyAccess(db: Db | Trx, accountId: number): Promise<AgencyAccess> {
  const row = await db
    .selectFrom('agency_access')
    .select(['is_allowed', 'is_mailed'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return { isAllowed: row?.is_allowed !== 0, isMailed: row?.is_mailed !== 0 };
}

/**
 * Changes the access that the account allows its agency. Forbidding it ends all sign-ins of the agency at once, and its keys
 * stop working.
 */
export async function changeAgencyAccess(
  trx: Trx,
  accountId: number,
  input: { [K in keyof AgencyAccess]?: boolean | undefined },
  by: Actor,
): Promise<AgencyAccess> {
  await lockAccount(trx, accountId);
  const before = await getAgencyAccess(trx, accountId);
  const access = { isAllowed: input.isAllowed ?? before.isAllowed, isMailed: input.isMailed ?? before.isMailed };
  const values = { is_allowed: flag(access.isAllowed), is_mailed: flag(access.isMailed) };
  await trx
    .insertInto('agency_access')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
  if (!access.isAllowed) await endImpersonations(trx, { account_id: accountId }, { customer: by });
  const subject = `account_${accountId}`;
  if (access.isAllowed !== before.isAllowed) {
    await recordAuditEvent(trx, accountId, by, {
      action: access.isAllowed ? 'impersonation.allowed' : 'impersonation.forbidden',
      subject,
    });
  }
  if (access.isMailed !== before.isMailed) {
    const action = access.isMailed ? 'impersonation.mail_turned_on' : 'impersonation.mail_turned_off';
    await recordAuditEvent(trx, accountId, by, { action, subject });
  }
  return access;
}

const flag = (value: boolean): Flag => (value ? 1 : 0);
