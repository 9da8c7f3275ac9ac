import type { Addresses } from '../addresses.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { isLoginInstructions } from '../mail/login-instructions.ts';
import { renderPlaceholders } from '../mail/placeholders.ts';

/** Replaces the secret part of a link. */
const MASK = '••••••••';

/**
 * Returns the text of login instructions as they were sent to a user of a customer, without the secret of the link. Other
 * messages are between the customer's users and the service.
 * @throws AppError `not_found` when the seller's customers have no such message.
 */
export async function getLoginInstructions(
  db: Db,
  accountId: number,
  messageId: number,
  addresses: Addresses,
): Promise<{ to: string; subject: string; text: string }> {
  const message = await db
    .selectFrom('outbox')
    .innerJoin('accounts', 'accounts.id', 'outbox.account_id')
    .select(['to_email as to', 'subject', 'text', 'kind'])
    .where('outbox.id', '=', messageId)
    .where('accounts.parent_id', '=', accountId)
    .where('accounts.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!message || !isLoginInstructions(message)) throw notFound('The message');
  const { to, subject, text } = message;
  return { to, subject, text: renderPlaceholders(text, MASK, addresses) };
}
