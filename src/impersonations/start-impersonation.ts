import { type CustomerRow, getCustomer } from '../accounts/change-customer.ts';
import type { UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { notFound, RateLimited, ValidationError } from '../errors.ts';
import { impersonationNotice } from '../mail/impersonation-notice.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import type { MailSettings } from '../users/forgotten-password.ts';
import { getUser } from '../users/get-user.ts';
import { reserveShare } from '../users/mail-budget.ts';
import { permissionsOf } from '../users/roles.ts';
import { tellOwners } from '../users/tell-owners.ts';
import { durationInWords } from '../users/throttle.ts';
import { hashToken, newToken } from '../users/token.ts';
import { agentName, upsertActingUser } from './acting-user.ts';
import { getAgencyAccess } from './agency-access.ts';
import { checkAgencyAccess } from './check-agency-access.ts';
import { endImpersonations } from './end-impersonation.ts';
import { recordImpersonation } from './record-impersonation.ts';

const IMPERSONATION_MS = 15 * 60 * 1000;

const MAX_REASON_CHARACTERS = 500;

/**
 * The most impersonations that a user may start in an hour: more than work requires, and too few to go through all
 * customers.
 */
const MAX_STARTS_PER_HOUR = 30;
const HOUR_MS = 60 * 60 * 1000;

interface StartInput {
  /** The customer's user to act for. */
  personId: number;
  reason: string;
  /** The session of the agency's user. */
  sessionId: number;
}

/**
 * Signs a user of the agency in as a user of its customer for 15 minutes. Both logs record it with the reason. The
 * customer's owners are told by mail, unless they have turned this off. Ends an earlier impersonation of the session.
 * Returns the token.
 * @throws AppError `not_found`, `suspended`; Refusal when the customer is deleted or forbids it; ValidationError;
 * RateLimited
 */
export async function startImpersonation(
  trx: Trx,
  accountId: number,
  { personId, reason: given, sessionId }: StartInput,
  by: UserActor,
  settings: MailSettings,
): Promise<string> {
  await lockAccount(trx, accountId);
  const customerId = await findCustomerOf(trx, accountId, personId);
  await lockAccount(trx, customerId);
  const customer = await getCustomer(trx, accountId, customerId);
  await checkAgencyAccess(trx, customer);
  const person = await getUser(trx, customerId, personId);
  // Accountants see only customers, and no part of the website.
  if (!permissionsOf(person.role).includes('view_pages')) throw notFound('The person');
  const reason = given.trim();
  checkReason(reason);
  await countStart(trx, by);

  const agent = await agentName(trx, accountId, by.name);
  const token = newToken();
  const now = Date.now();
  const until = now + IMPERSONATION_MS;
  // A session acts for one user at a time.
  const earlier = { agency_id: accountId, agent_id: by.userId, agent_session_id: sessionId };
  await endImpersonations(trx, earlier, { agentIp: by.ip });
  await trx
    .insertInto('impersonations')
    .values({
      account_id: customerId,
      user_id: await upsertActingUser(trx, person, { agentId: by.userId, agent }),
      person_id: personId,
      agency_id: accountId,
      agent_id: by.userId,
      agent_session_id: sessionId,
      token_hash: hashToken(token),
      ip: by.ip,
      started_at: now,
      expires_at: until,
      ended_at: null,
      reason,
    })
    .execute();
  const actors = { inAgency: by, inCustomer: { userId: null, name: agent, ip: by.ip } };
  await recordImpersonation(trx, { agencyId: accountId, customer, person, actors, change: 'started', reason, until });
  await reportStart(trx, customer, { agent, personName: person.name, reason, at: now }, settings);
  return token;
}

/** Returns the id of the customer that the user belongs to. */
async function findCustomerOf(trx: Trx, accountId: number, personId: number): Promise<number> {
  const person = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select('users.account_id as customerId')
    .where('users.id', '=', personId)
    .where('accounts.parent_id', '=', accountId)
    .executeTakeFirst();
  if (!person) throw notFound('The person');
  return person.customerId;
}

function checkReason(reason: string): void {
  if (reason === '') throw new ValidationError([{ field: 'reason', code: 'blank' }]);
  if ([...reason].length <= MAX_REASON_CHARACTERS) return;
  throw new ValidationError([{ field: 'reason', code: 'too_long', params: { max: MAX_REASON_CHARACTERS } }]);
}

async function countStart(trx: Trx, { userId }: UserActor): Promise<void> {
  const share = { key: `impersonation ${userId}`, count: MAX_STARTS_PER_HOUR, periodMs: HOUR_MS };
  const wait = await reserveShare(trx, share);
  if (wait > 0) throw new RateLimited(`Too many sign-ins. Try again in ${durationInWords(wait)}.`, wait);
}

/**
 * The most messages about impersonations that an owner gets per day, since the agency chooses text in them. The owner's
 * settings list all impersonations.
 */
const MAX_TOLD_PER_DAY = 20;

async function reportStart(
  trx: Trx,
  { id }: CustomerRow,
  about: { agent: string; personName: string; reason: string; at: number },
  { mailFrom }: MailSettings,
): Promise<void> {
  const { isMailed } = await getAgencyAccess(trx, id);
  if (!isMailed) return;
  await tellOwners(trx, id, {
    kind: 'impersonation_notice',
    cause: 'impersonation',
    perDay: MAX_TOLD_PER_DAY,
    mailFrom,
    messageTo: (owner) => impersonationNotice({ ...owner, ...about }),
  });
}
