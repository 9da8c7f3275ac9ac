import { getCustomer } from '../accounts/change-customer.ts';
import { isInTrial } from '../accounts/trial.ts';
import type { Db, Trx } from '../db/database.ts';
import { latestFirst, limitInIndexOrder } from '../db/index-order.ts';
import { listDomains } from '../domains/list-domains.ts';
import { getAgencyAccess } from '../impersonations/agency-access.ts';
import { listImpersonations } from '../impersonations/list-impersonations.ts';
import { isLoginInstructions } from '../mail/login-instructions.ts';
import { getPlan } from '../plans/plans.ts';
import { findScheduledChange } from '../scheduled-changes/scheduled-change.ts';
import { findHomePage } from '../sites/navigation.ts';
import { getPlanUsage } from '../tenancy/plan-limits.ts';
import { listUsers } from '../users/list-users.ts';
import { hasSignedIn } from './has-signed-in.ts';

/** The most plan changes, and the most messages, that are shown of a customer. */
const MAX_LATEST = 50;

/**
 * Returns the details of a customer for its seller: plan, plan changes, users, mail, domains and plan usage, and when the
 * seller's users signed in as the customer's users.
 * @throws AppError `not_found` when the seller has no such customer.
 */
export async function getCustomerDetails(trx: Trx, accountId: number, customerId: number) {
  const customer = await getCustomer(trx, accountId, customerId);
  const { id, name, subdomain, status, created_at, plan_id, suspension_reason, deletes_at } = customer;
  const plan = await getPlan(trx, accountId, plan_id);
  const people = await listUsers(trx, id);
  const [first] = people;
  const firstSignedIn = first !== undefined && (await hasSignedIn(trx, id, first.id));
  return {
    id,
    name,
    subdomain,
    status,
    created_at,
    suspension_reason,
    deletes_at,
    plan,
    trialEndsOn: isInTrial(customer, plan) ? customer.trial_ends_on : null,
    scheduled: await findScheduledChange(trx, accountId, id),
    history: await listPlanChanges(trx, accountId, id),
    people: people.map(({ id, name, email, role, created_at, address_proved_at, hasPassword, lastSeenAt }) => ({
      id,
      name,
      email,
      role,
      created_at,
      address_proved_at,
      lastSeenAt,
      // SQLite returns 0 or 1.
      hasPassword: Boolean(hasPassword),
      // A password proves a sign-in, except for the first user, whose password may have been set when the customer was
      // created.
      hasSignedIn: id === first?.id ? firstSignedIn : lastSeenAt !== null || Boolean(hasPassword),
    })),
    linkWorksUntil: first ? await invitationEnd(trx, id, first.id) : null,
    mail: (await listMail(trx, id)).map((message) => ({ ...message, hasText: isLoginInstructions(message) })),
    domains: await listDomains(trx, id),
    hasPage: (await findHomePage(trx, id)) !== undefined,
    limits: await getPlanUsage(trx, id),
    isSignInAllowed: (await getAgencyAccess(trx, id)).isAllowed,
    visits: await listImpersonations(trx, id, { limit: MAX_LATEST }),
  };
}

function listPlanChanges(db: Db | Trx, accountId: number, customerId: number) {
  return db
    .selectFrom('plan_changes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .orderBy('id', 'desc')
    .limit(limitInIndexOrder(MAX_LATEST))
    .execute();
}

type Line = Awaited<ReturnType<typeof listPlanChanges>>[number];

/** Returns the kind of a ledger line. A line from a plan to itself ends the trial. */
export function kindOf({ kind, from_plan_id, to_plan_id }: Line): Line['kind'] | 'trial_ended' {
  return kind === 'moved' && from_plan_id === to_plan_id ? 'trial_ended' : kind;
}

function listMail(db: Db | Trx, customerId: number) {
  const { where, account, id } = latestFirst(db, 'outbox', customerId);
  return db
    .selectFrom('outbox')
    .select([
      'id',
      'to_name',
      'to_email',
      'subject',
      'kind',
      'status',
      'attempts',
      'last_error',
      'created_at',
      'sent_at',
    ])
    .where(where)
    .orderBy(account, 'desc')
    .orderBy(id, 'desc')
    .limit(limitInIndexOrder(MAX_LATEST))
    .execute();
}

/** Returns the time at which the last link for choosing a password expires; null if it was used or pruned. */
async function invitationEnd(db: Db | Trx, customerId: number, userId: number): Promise<number | null> {
  const link = await db
    .selectFrom('one_time_links')
    .select('expires_at')
    .where('account_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('purpose', '=', 'invitation')
    .where('used_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return link?.expires_at ?? null;
}
