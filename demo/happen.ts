import { changePlan, restoreCustomer, suspendCustomer } from '../src/accounts/change-customer.ts';
import { createCustomer } from '../src/accounts/create-customer.ts';
import { deleteAccount } from '../src/accounts/delete-account.ts';
import { deleteCustomer } from '../src/accounts/delete-customer.ts';
import type { CustomerSettings } from '../src/accounts/mail-login-instructions.ts';
import { prepareInvitedCustomer } from '../src/accounts/prepare-invited-customer.ts';
import { recordAuditEvent, service } from '../src/audit/record-audit-event.ts';
import { addNote } from '../src/customers/notes.ts';
import type { Trx } from '../src/db/database.ts';
import { addDomain } from '../src/domains/add-domain.ts';
import { claimMail } from '../src/mail/claim-mail.ts';
import { recordFailure, recordSent } from '../src/mail/record-delivery.ts';
import { inviteUser } from '../src/users/invite-user.ts';
import type { ActingUser } from '../src/users/roles.ts';
import { startSession } from '../src/users/sessions.ts';
import { setPassword } from '../src/users/set-password.ts';
import type { Agency } from './agency.ts';
import type { Business } from './businesses.ts';
import type { Moment, PlanKey } from './lives.ts';

/** A customer of the demo. */
export interface Customer {
  business: Business;
  willHaveSite: boolean;
  /** Set when the customer is created. */
  id: number;
  owner: ActingUser;
}

export interface World {
  agency: Agency;
  plans: Record<PlanKey, number>;
  settings: CustomerSettings;
  buildSite: (trx: Trx, customer: Customer) => Promise<void>;
}

/** Carries out a moment of a customer's history with the verbs that the app uses. The clock is set to its time. */
export async function happen(trx: Trx, world: World, customer: Customer, moment: Moment): Promise<void> {
  const { agency, plans, settings } = world;
  const [{ id, owner, business }, by] = [customer, moment.at % 3 < 1 ? agency.owner : agency.colleague];
  switch (moment.kind) {
    case 'created':
      return create(trx, world, customer, plans[moment.plan]);
    case 'mail_sent':
      return deliver(trx, id);
    case 'mail_failed':
      return deliver(trx, id, moment.words);
    case 'accepted':
      return accept(trx, agency, customer);
    case 'built':
      return world.buildSite(trx, customer);
    case 'signed_in':
      return signIn(trx, customer);
    case 'invited': {
      const people = [
        { name: business.colleague, email: `office@${business.subdomain}.example` },
        { name: 'Front desk', email: `hello@${business.subdomain}.example` },
      ];
      // One in four invites two people, which fills a small plan.
      const invited = moment.at % 4 < 1 ? people : people.slice(0, 1);
      for (const person of invited) await inviteUser(trx, id, { ...person, role: 'editor' }, owner, settings);
      return;
    }
    case 'domain':
      await addDomain(trx, id, `www.${business.subdomain}.example`, owner);
      return;
    case 'noted':
      await addNote(trx, agency.id, { customerId: id, text: moment.text }, by);
      return;
    case 'moved':
      await changePlan(trx, agency.id, { customerId: id, planId: plans[moment.plan] }, by);
      return;
    case 'suspended':
      await suspendCustomer(trx, agency.id, id, by, moment.reason);
      return;
    case 'restored':
      await restoreCustomer(trx, agency.id, id, by);
      return;
    case 'deleted':
      await deleteCustomer(trx, agency.id, id, by);
      return;
    case 'purged':
      await deleteAccount(trx, id, { releaseSubdomain: false }, service);
  }
}

async function create(trx: Trx, { agency, settings }: World, customer: Customer, planId: number): Promise<void> {
  const { name, subdomain, owner, email } = customer.business;
  const input = { accountName: name, subdomain, userName: owner, userEmail: email, planId, language: 'en-GB' };
  const prepared = await prepareInvitedCustomer(trx, agency.id, input);
  const withDefaultPages = !customer.willHaveSite;
  customer.id = await createCustomer(trx, agency.id, { ...prepared, withDefaultPages }, settings, agency.colleague);
  const first = trx.selectFrom('users').select('id').where('account_id', '=', customer.id);
  const { id: userId } = await first.executeTakeFirstOrThrow();
  customer.owner = { userId, name: owner, ip: `198.51.100.${customer.id % 250}`, role: 'owner' };
}

/** Records that the customer's mail was sent, or was refused with these words, as the mail worker would. */
async function deliver(trx: Trx, customerId: number, serverReply?: string): Promise<void> {
  const now = Date.now();
  for (const message of await claimMail(trx, 100, { worker: 'demo', now, leaseMs: 1000 })) {
    if (serverReply === undefined || message.account_id !== customerId) await recordSent(trx, [message.id], now);
    else await recordFailure(trx, message, { serverReply, dueAt: undefined, isRefused: true });
  }
}

/** Records every waiting message as sent: none of them is for visitors of the demo. */
export async function deliverAll(trx: Trx): Promise<void> {
  const now = Date.now();
  for (;;) {
    const messages = await claimMail(trx, 100, { worker: 'demo', now, leaseMs: 1000 });
    if (messages.length === 0) return;
    const ids = messages.map(({ id }) => id);
    await recordSent(trx, ids, now);
  }
}

/** Like `resetPassword`, but with one hash for all users: computing 300 hashes would take longer than the rest of the demo. */
async function accept(trx: Trx, { passwordHash }: Agency, customer: Customer): Promise<void> {
  const { id, owner } = customer;
  await setPassword(trx, id, owner.userId, { passwordHash, byMailedLink: true });
  const event = { action: 'invitation.accepted', subject: `user_${owner.userId}` };
  await recordAuditEvent(trx, id, owner, event);
  await signIn(trx, customer);
}

async function signIn(trx: Trx, { id, owner: { userId, ip } }: Customer): Promise<void> {
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/148.0 Safari/537.36';
  await startSession(trx, id, { userId, clientInfo: { ip, network: ip, userAgent } });
}
