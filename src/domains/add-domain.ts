import { randomBytes } from 'node:crypto';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import { startedChecks } from './check-schedule.ts';
import type { DomainRow } from './domain.ts';

/**
 * Adds the account's claim to a host (as `parseHost` returns it), with a new token for its proof. Any number of accounts
 * may claim a host; a claim has no effect until it is verified.
 * @throws ValidationError if the account has added the host already; LimitReached; AppError `conflict` if a user may add no
 * more
 */
export async function addDomain(trx: Trx, accountId: number, host: string, by: Actor): Promise<DomainRow> {
  const now = Date.now();
  await raiseContentVersion(trx, accountId, now);
  if (by.userId !== null) await checkDomainCount(trx, accountId);
  await checkPlanLimit(trx, accountId, 'domains');
  const domain = await insert(trx, accountId, host, now);
  const event = { action: 'domain.added', subject: `domain_${domain.id}`, details: { host } };
  await recordAuditEvent(trx, accountId, by, event);
  return domain;
}

/** The most domains of an account. A browser can handle a list of this length, and it is read at once. */
const MAX_DOMAINS = 100;

/**
 * Checks that the account may have another domain. The transaction must have locked the account.
 * @throws AppError `conflict` if the account has the maximum number of domains
 */
export async function checkDomainCount(trx: Trx, accountId: number): Promise<void> {
  const { count } = await trx
    .selectFrom('domains')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (count >= MAX_DOMAINS) throw new Refusal('conflict', { reason: 'too_many_domains', params: { max: MAX_DOMAINS } });
}

async function insert(trx: Trx, accountId: number, host: string, now: number): Promise<DomainRow> {
  try {
    return await trx
      .insertInto('domains')
      .values({
        account_id: accountId,
        host,
        token: randomBytes(16).toString('hex'),
        created_at: now,
        ...startedChecks(now),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  } catch (error) {
    if (violatedUniqueRule(error) === 'domains_host')
      throw new ValidationError([{ field: 'host', code: 'already_added' }]);
    throw error;
  }
}
