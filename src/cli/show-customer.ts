import { formatAccountId } from '../accounts/account.ts';
import { siteUrl } from '../addresses.ts';
import { getCustomerDetails, kindOf } from '../customers/get-customer-details.ts';
import { snapshot } from '../db/snapshot.ts';
import { decimal } from '../plans/money.ts';
import { command } from './command.ts';
import { failureInWords } from './customer-plan.ts';
import { CUSTOMER, findCustomer } from './find-customer.ts';
import { facts, table, time } from './output.ts';
import { usageInWords } from './plan-usage.ts';

export const showCommand = command({
  about: 'Shows a customer: plan and earlier plans, people, mail and domains.',
  details: CUSTOMER,
  positionals: ['CUSTOMER'],
  example: 'bakery',
  async run({ config, db, positionals: [who = ''] }) {
    const { id, parent_id } = await findCustomer(db, who);
    const customer = customerJson(await snapshot(db, (trx) => getCustomerDetails(trx, parent_id, id)));
    const url = siteUrl({ subdomain: customer.subdomain, primaryHost: null }, config);
    const { scheduled, plan_changes, people, messages, domains, limits } = customer;
    const sections = [
      facts({
        Customer: `${customer.name} (${customer.id})`,
        Site: url,
        Status:
          customer.deletes_at === null ? customer.status : `deleted, can be restored until ${customer.deletes_at}`,
        Created: customer.created_at,
        Plan: `${customer.plan_name} at ${customer.plan_price} a ${customer.plan_interval}`,
        Trial: customer.trial_ends_on === null ? '-' : `until the beginning of ${customer.trial_ends_on}`,
        Scheduled: scheduledInWords(scheduled),
        Uses: usageInWords(limits),
        Domains: domains.map(({ host, verified }) => (verified ? host : `${host} (not verified)`)).join(', ') || '-',
      }),
      table(
        ['PERSON', 'E-MAIL', 'ROLE', 'PASSWORD', 'LAST SEEN'],
        people.map(({ name, email, role, has_password, last_seen_at }) => [
          ...[name, email, role, has_password ? 'yes' : 'not yet', last_seen_at ?? '-'],
        ]),
        'The customer has no people.',
      ),
      table(
        ['MESSAGE', 'TO', 'STATUS', 'ATTEMPTS', 'CREATED', 'LAST ERROR'],
        messages.map((message) => [
          ...[message.subject, message.to, message.status, String(message.attempts), message.created_at],
          message.last_error ?? '',
        ]),
        'No mail has been sent to the customer.',
      ),
      table(
        ['CHANGE', 'FROM', 'TO', 'AT', 'BY'],
        plan_changes.map(({ kind, from, to, at, by }) => [kind.replace('_', ' '), from ?? '-', to ?? '-', at, by]),
        'Its plan has never changed.',
      ),
    ];
    return { text: sections.join('\n\n'), json: { customer: { ...customer, url } } };
  },
});

function customerJson(customer: Awaited<ReturnType<typeof getCustomerDetails>>) {
  return {
    id: formatAccountId(customer.id),
    name: customer.name,
    subdomain: customer.subdomain,
    status: customer.deletes_at === null ? customer.status : 'deleted',
    deletes_at: time(customer.deletes_at),
    created_at: time(customer.created_at),
    plan_name: customer.plan.name,
    plan_price: decimal(customer.plan.price_cents),
    plan_interval: customer.plan.interval,
    trial_ends_on: customer.trialEndsOn,
    scheduled: customer.scheduled
      ? { on: customer.scheduled.day, plan_name: customer.scheduled.plan.name, failure: customer.scheduled.failure }
      : null,
    plan_changes: customer.history.map((change) => ({
      kind: kindOf(change),
      is_trial: change.is_trial === 1,
      from: planInWords(change.from_plan_name, change.from_price_cents, change.from_interval),
      to: planInWords(change.to_plan_name, change.to_price_cents, change.to_interval),
      at: time(change.created_at),
      by: change.actor,
    })),
    people: customer.people.map((person) => ({
      id: `user_${person.id}`,
      name: person.name,
      email: person.email,
      role: person.role,
      has_password: person.hasPassword,
      last_seen_at: time(person.lastSeenAt),
    })),
    messages: customer.mail.map((message) => ({
      id: `message_${message.id}`,
      to: message.to_email,
      subject: message.subject,
      status: message.status,
      attempts: message.attempts,
      created_at: time(message.created_at),
      sent_at: time(message.sent_at),
      last_error: message.last_error,
    })),
    limits: customer.limits,
    domains: customer.domains.map(({ host, verified_at }) => ({ host, verified: verified_at !== null })),
  };
}

function scheduledInWords(scheduled: ReturnType<typeof customerJson>['scheduled']): string {
  if (!scheduled) return '-';
  const { plan_name, on, failure } = scheduled;
  return failure === null ? `${plan_name} on ${on}` : `${plan_name} on ${on}: not made: ${failureInWords[failure]}`;
}

/** Formats a plan of the ledger: `Business at 49.00 a month`. */
function planInWords(name: string | null, cents: number | null, interval: string | null): string | null {
  return name === null || cents === null ? null : `${name} at ${decimal(cents)} a ${interval}`;
}
