import { sql } from 'kysely';
import { brandImage } from '../brands/brand-image.ts';
import { brandOwner } from '../brands/brand-of.ts';
import type { Db, Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Sender } from './email-template.ts';
import { isPlainAddress } from './plain-address.ts';
import { countedAddresses } from './reply-address.ts';

export interface AccountSender extends Sender {
  accountName: string;
}

/**
 * Returns in whose name an account's people are mailed. Replies go to the brand's address; without one, to the owner of the account
 * that sells this one, or to a top-level account's own owner, if their address counts.
 */
export async function findSender(db: Db | Trx, accountId: number): Promise<AccountSender> {
  const [found] = await selectSender(db, { accountId });
  if (!found) return { accountName: '', accent: '#1f5fbf', replyTo: null, brand: null };
  const { accountName, subdomain, accent, brandName, brandAccent, senderName, replyTo, owner } = found;
  return {
    accountName,
    accent,
    replyTo: [replyTo, owner].find((email) => email !== null && isPlainAddress(email)) ?? null,
    brand:
      brandName && brandAccent
        ? {
            ...{ name: brandName, accent: brandAccent, senderName: senderName ?? brandName, subdomain },
            ...{ logo: brandImage(found.logo), logoDark: brandImage(found.logoDark) },
          }
        : null,
  };
}

interface Found {
  accountName: string;
  subdomain: string;
  accent: string;
  brandName: string | null;
  brandAccent: string | null;
  senderName: string | null;
  replyTo: string | null;
  logo: string | null;
  logoDark: string | null;
  owner: string | null;
}

const selectSender = prepared<{ accountId: number }, Found>((db, parameter) =>
  db
    .selectFrom('accounts as recipients')
    .leftJoin('brands', (join) => join.on('brands.account_id', '=', brandOwner('recipients.id')))
    .select([
      'recipients.name as accountName',
      'recipients.subdomain',
      'recipients.accent',
      'brands.name as brandName',
      'brands.accent as brandAccent',
      'brands.sender_name as senderName',
      'brands.reply_to as replyTo',
      'brands.logo',
      'brands.logo_dark as logoDark',
    ])
    .select(
      countedAddresses(db)
        .where('users.account_id', '=', sql<number>`coalesce(recipients.parent_id, recipients.id)`)
        .where('users.role', '=', 'owner')
        .orderBy('users.id')
        .limit(1)
        .as('owner'),
    )
    .where('recipients.id', '=', parameter('accountId')),
);
