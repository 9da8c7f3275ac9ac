import { type Addresses, signInUrl } from '../addresses.ts';
import type { Trx } from '../db/database.ts';
import { letSend, runTogether } from '../db/run-together.ts';
import { appLink } from '../mail/email-template.ts';
import { type AccountSender, findSender } from '../mail/find-sender.ts';
import { loginInstructions } from '../mail/login-instructions.ts';
import { enqueue, enqueueAll, type Message, type QueuedMessage } from '../mail/outbox.ts';
import { PUBLIC_URL, siteUrlPlaceholder } from '../mail/placeholders.ts';
import { mailLimitReached, reserveMail, reserveMailToMany } from '../users/mail-budget.ts';
import { makeLink, storeLinks } from '../users/one-time-links.ts';
import { newToken } from '../users/token.ts';
import type { AccountValues } from './create-account.ts';

/** The configuration for creating a customer. Its subdomain must not be one of the service's own addresses. */
export interface CustomerSettings extends Addresses {
  mailFrom: string;
  /**
   * The most messages with login instructions that a mail address gets per day: per top-level account, and for all other
   * accounts together; 0 for no limit.
   */
  customersPerAddress: number;
}

/** How many messages are written without a pause, which takes some milliseconds. */
const WRITTEN_AT_ONCE = 20;

type NewUser = AccountValues & { id: number; userId: number };

interface Seller {
  id: number;
  name: string;
  accent: string;
  parent_id: number | null;
}

/**
 * Queues the message that tells a customer's first user how to sign in, with a new link for choosing a password.
 * @throws RateLimited when the mailbox has received too much mail.
 */
export async function mailLoginInstructions(
  trx: Trx,
  seller: Seller,
  { id, userId, ...values }: NewUser,
  settings: CustomerSettings,
): Promise<void> {
  const sender = await findSender(trx, id, 'login_instructions');
  const token = await makeLink(trx, id, userId, 'invitation');
  const { userEmail } = values;
  const perDay = settings.customersPerAddress;
  const wait = await reserveMail(trx, { cause: causeOf(seller), email: userEmail, perDay });
  if (wait > 0) throw mailLimitReached(wait);
  const message = messageTo(values, { seller, sender, token });
  // Anybody may become a customer and create any number of customers. Links for new passwords must not wait for their mail.
  if (seller.parent_id === null) await enqueue(trx, id, settings.mailFrom, message);
  else await enqueueAll(trx, settings.mailFrom, [{ accountId: id, message }]);
}

/**
 * Counts a message to the first user of each of the seller's new customers. Returns for each 0, or the seconds until the
 * budget of the mailbox allows it.
 */
export function reserveLoginInstructions(
  trx: Trx,
  seller: Seller,
  customers: readonly AccountValues[],
  settings: CustomerSettings,
): Promise<number[]> {
  const emails = customers.map(({ userEmail }) => userEmail);
  return reserveMailToMany(trx, { cause: causeOf(seller), emails, perDay: settings.customersPerAddress });
}

/**
 * Returns the sender of mail to new customers of one seller. They have no brand of their own yet, so all of them have the
 * same sender.
 */
export async function findSenderToCustomers(
  trx: Trx,
  [first]: ReadonlyArray<{ id: number }>,
): Promise<AccountSender | undefined> {
  return first && findSender(trx, first.id, 'login_instructions');
}

/** Queues the login instructions to the first users of new customers of one seller. The messages have already been counted. */
export async function mailLoginInstructionsToMany(
  trx: Trx,
  { sender, ...seller }: Seller & { sender: AccountSender | undefined },
  customers: readonly NewUser[],
  settings: CustomerSettings,
): Promise<void> {
  if (!sender) return;
  const links = customers.map(({ id, userId }) => ({ accountId: id, userId, token: newToken() }));
  await runTogether(trx, [
    () => storeLinks(trx, links, 'invitation'),
    async () => {
      const messages: QueuedMessage[] = [];
      for (const [index, customer] of customers.entries()) {
        const { accountId, token } = links[index]!;
        messages.push({ accountId, message: messageTo(customer, { seller, sender, token }) });
        if (messages.length % WRITTEN_AT_ONCE === 0) await letSend(trx);
      }
      await enqueueAll(trx, settings.mailFrom, messages);
    },
  ]);
}

function messageTo(
  { accountName, subdomain, userName, userEmail }: AccountValues,
  { seller, sender, token }: { seller: Seller; sender: Pick<AccountSender, 'brand' | 'replyTo'>; token: string },
): Message {
  const { replyTo } = sender;
  // Links name the customer's account.
  const brand = sender.brand && { ...sender.brand, subdomain };
  return loginInstructions({
    userName,
    userEmail,
    accountName,
    senderName: brand?.name ?? seller.name,
    accent: seller.accent,
    brand,
    replyTo,
    siteUrl: siteUrlPlaceholder(subdomain),
    signInUrl: brand ? appLink(brand, '/sign-in') : signInUrl(subdomain, { publicUrl: PUBLIC_URL }),
    token,
  });
}

/**
 * Returns the cause whose budget the login instructions count against. Anybody may become a customer and sell to customers
 * of their own. A top-level account, which the operator has set up, has its own budget, which no customer can use up.
 */
function causeOf(seller: Seller): string {
  return seller.parent_id === null ? `customer of account ${seller.id}` : 'customer';
}
