import { type SqlBool, sql } from 'kysely';
import { brandImage } from '../brands/brand-image.ts';
import { brandOwner } from '../brands/brand-of.ts';
import type { Db, Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Sender } from './email-template.ts';
import type { MailKind, MailWords } from './mail-words.ts';
import { isPlainAddress } from './plain-address.ts';
import { countedAddresses } from './reply-address.ts';

export interface AccountSender extends Sender {
  accountName: string;
}

/**
 * Returns in whose name an account's people are mailed. Replies go to the brand's address; without one, to the owner of the account
 * that sells this one, or to a top-level account's own owner, if their address counts. The words are those of the kind of message.
 */
export async function findSender(db: Db | Trx, accountId: number, kind: MailKind): Promise<AccountSender> {
  const [found] = await selectSender(db, { accountId, kind });
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
            ...logosOf(found),
            ...{ words: wordsOf(found), appHost: found.appHost },
          }
        : null,
  };
}

/** Messages show only logos of top-level accounts: anybody can create another account, and have strangers mailed under a foreign logo. */
function logosOf({ isBrandTopLevel, logo, logoDark }: Found) {
  if (!isBrandTopLevel) return { logo: null, logoDark: null };
  return { logo: brandImage(logo), logoDark: brandImage(logoDark) };
}

function wordsOf({ wordsSubject, wordsText }: Found): MailWords | null {
  return wordsSubject !== null && wordsText !== null ? { subject: wordsSubject, text: wordsText } : null;
}

interface Found {
  accountName: string;
  subdomain: string;
  accent: string;
  brandName: string | null;
  brandAccent: string | null;
  senderName: string | null;
  replyTo: string | null;
  /** A number on SQLite. */
  isBrandTopLevel: SqlBool;
  logo: string | null;
  logoDark: string | null;
  appHost: string | null;
  wordsSubject: string | null;
  wordsText: string | null;
  owner: string | null;
}

const selectSender = prepared<{ accountId: number; kind: MailKind }, Found>((db, parameter) =>
  db
    .selectFrom('accounts as recipients')
    .leftJoin('brands', (join) => join.on('brands.account_id', '=', brandOwner('recipients.id')))
    .leftJoin('accounts as brand_owners', 'brand_owners.id', 'brands.account_id')
    .leftJoin('mail_words', (join) =>
      join.onRef('mail_words.account_id', '=', 'brands.account_id').on('mail_words.kind', '=', parameter('kind')),
    )
    .select([
      'recipients.name as accountName',
      'recipients.subdomain',
      'recipients.accent',
      'brands.name as brandName',
      'brands.accent as brandAccent',
      'brands.sender_name as senderName',
      'brands.reply_to as replyTo',
      sql<SqlBool>`brand_owners.parent_id is null`.as('isBrandTopLevel'),
      'brands.logo',
      'brands.logo_dark as logoDark',
      appHostOf('brands.account_id').as('appHost'),
      'mail_words.subject as wordsSubject',
      'mail_words.text as wordsText',
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

/** Returns the verified host of an account's own at which the admin app of its customers is, as an expression. */
function appHostOf(accountId: `${string}.account_id`) {
  return sql<string | null>`(
    select domains.host from domains
    where domains.account_id = ${sql.ref(accountId)} and domains.is_app = 1 and domains.verified_at is not null
    order by domains.id limit 1
  )`;
}
