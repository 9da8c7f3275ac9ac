import { type Addresses, signInUrl } from '../addresses.ts';
import type { Trx } from '../db/database.ts';
import { findSender } from '../mail/find-sender.ts';
import { type LoginInstructions, loginInstructions } from '../mail/login-instructions.ts';
import { enqueue } from '../mail/outbox.ts';
import { PUBLIC_URL, siteUrlPlaceholder } from '../mail/placeholders.ts';
import { mailLimitReached, reserveMail } from '../users/mail-budget.ts';
import { makeLink } from '../users/one-time-links.ts';
import type { AccountValues } from './create-account.ts';

/** The configuration that creating a customer needs; the addresses are those that its subdomain must not take. */
export interface CustomerSettings extends Addresses {
  mailFrom: string;
  /**
   * How many messages a day one mail address gets with login instructions: per top-level account, and for all others
   * together; 0 for no limit.
   */
  customersPerAddress: number;
}

interface Seller {
  id: number;
  name: string;
  accent: string;
  parent_id: number | null;
}

/**
 * Queues the message that tells a customer's first user how to sign in, with a new link for choosing a password.
 * @throws RateLimited when the address has been mailed too much.
 */
export async function mailLoginInstructions(
  trx: Trx,
  seller: Seller,
  { id, userId, ...values }: AccountValues & { id: number; userId: number },
  settings: CustomerSettings,
): Promise<void> {
  const { accountName, subdomain, userName, userEmail } = values;
  const { brand, replyTo } = await findSender(trx, id);
  const instructions: LoginInstructions = {
    userName,
    userEmail,
    accountName,
    senderName: brand?.name ?? seller.name,
    accent: seller.accent,
    brand,
    replyTo,
    siteUrl: siteUrlPlaceholder(subdomain),
    signInUrl: signInUrl(subdomain, { publicUrl: PUBLIC_URL }),
    token: await makeLink(trx, id, userId, 'invitation'),
  };
  // Anybody may be a customer and sell on. An account that the operator has set up has a budget of its own, which no customer
  // can use up.
  const cause = seller.parent_id === null ? `customer of account ${seller.id}` : 'customer';
  const wait = await reserveMail(trx, { cause, email: userEmail, perDay: settings.customersPerAddress });
  if (wait > 0) throw mailLimitReached(wait);
  await enqueue(trx, id, settings.mailFrom, loginInstructions(instructions));
}
