import { getCustomer } from '../accounts/change-customer.ts';
import { checkNotDeleted } from '../accounts/customer-change.ts';
import { type CustomerSettings, mailLoginInstructions } from '../accounts/mail-login-instructions.ts';
import { recordCustomerEvent } from '../accounts/record-customer-event.ts';
import type { Actor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { notFound, ValidationError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { setEmail } from '../users/change-email.ts';
import { validateEmail } from '../users/create-user.ts';
import type { UserRow } from '../users/get-user.ts';
import { voidLinks } from '../users/one-time-links.ts';
import { hasSignedIn } from './has-signed-in.ts';

interface ResendInput {
  customerId: number;
  /** The corrected address; undefined to keep the current one. */
  email?: string | undefined;
}

/**
 * Mails the login instructions to the first user of a customer once more, with a new link, and voids all earlier links.
 * Returns the user's address. The address can be corrected until the user has signed in.
 * @throws AppError `not_found`; Refusal when the customer is deleted, or the user has chosen a password or, with another
 * address, has signed in;
 * ValidationError; RateLimited when the mailbox has received too much mail.
 */
export async function resendLoginInstructions(
  trx: Trx,
  accountId: number,
  { customerId, email }: ResendInput,
  by: Actor,
  settings: CustomerSettings,
): Promise<string> {
  const seller = { ...(await raiseCustomersVersion(trx, accountId)), id: accountId };
  await lockAccount(trx, customerId);
  const customer = await getCustomer(trx, accountId, customerId);
  checkNotDeleted(customer);
  const user = await getFirstUser(trx, customerId);
  const { name: userName, address_proved_at } = user;
  if (address_proved_at !== null) {
    throw new Refusal('conflict', { reason: 'invitation_accepted', params: { name: userName } });
  }
  const userEmail = email?.trim() ?? user.email;
  if (userEmail !== user.email) await correctEmail(trx, customerId, user, userEmail);
  await voidLinks(trx, customerId, user.id);
  const { name: accountName, subdomain } = customer;
  const values = { id: customerId, userId: user.id, accountName, subdomain, userName, userEmail };
  const details = { name: accountName, email: userEmail };
  await recordCustomerEvent(trx, seller, { customerId, change: 'instructions_sent', details }, by);
  await mailLoginInstructions(trx, seller, values, settings);
  return userEmail;
}

/** Returns the user for whom the seller created the customer. Other users were invited by the customer's own users. */
async function getFirstUser(trx: Trx, customerId: number): Promise<UserRow> {
  const user = await trx
    .selectFrom('users')
    .selectAll()
    .where('account_id', '=', customerId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!user || user.removed_at !== null) throw notFound('The user');
  return user;
}

async function correctEmail(trx: Trx, customerId: number, user: UserRow, email: string): Promise<void> {
  const problem = validateEmail(email);
  if (problem) throw new ValidationError([{ field: 'email', ...problem }]);
  // Otherwise a seller could have links to the account of an active user mailed to another address.
  if (await hasSignedIn(trx, customerId, user.id)) {
    throw new Refusal('conflict', { reason: 'address_in_use', params: { name: user.name } });
  }
  await setEmail(trx, customerId, user.id, email);
}
