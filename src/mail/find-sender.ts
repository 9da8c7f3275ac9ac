import { type SqlBool, sql } from 'kysely';
import { brandImage } from '../brands/brand-image.ts';
import { brandOwner } from '../brands/brand-of.ts';
import type { Db, Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Sender } from './email-template.ts';
import type { MailKind, MailWords } from './mail-words.ts';
import { isPlainAddress } from './plain-address.ts';
import { eligibleAddresses } from './reply-address.ts';

export interface AccountSender extends Sender {
  accountName: string;
}

/**
 * Returns the sender of messages to an account's users. Replies go to the brand's reply address. Without one, they go to the
 * owner of the selling account, or to a top-level account's own owner, if that address is eligible (see `reply-address.ts`).
 * The words are those of the message's kind.
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
            name: brandName,
            accent: brandAccent,
            senderName: senderName ?? brandName,
            subdomain,
            ...logosOf(found),
            words: wordsOf(found),
            appHost: found.appHost,
          }
        : null,
  };
}

/**
 * Returns the logos, for brands of top-level accounts only: anybody can create another account, and have strangers mailed
 * under a foreign logo.
 */
function logosOf({ isBrandTopLevel, logo, logoDark }: SenderRow) {
  if (!isBrandTopLevel) return { logo: null, logoDark: null };
  return { logo: brandImage(logo), logoDark: brandImage(logoDark) };
}

function wordsOf({ wordsSubject, wordsText }: SenderRow): MailWords | null {
  return wordsSubject !== null && wordsText !== null ? { subject: wordsSubject, text: wordsText } : null;
}

interface SenderRow {
  accountName: string;
  subdomain: string;
  accent: string;
  brandName: string | null;
  brandAccent: string | null;
  senderName: string | null;
  replyTo: string | null;
  /** SQLite returns a number. */
  isBrandTopLevel: SqlBool;
  logo: string | null;
  logoDark: string | null;
  appHost: string | null;
  wordsSubject: string | null;
  wordsText: string | null;
  owner: string | null;
}

const selectSender = prepared<{ accountId: number; kind: MailKind }, SenderRow>((db, parameter) =>
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
      eligibleAddresses(db)
        .where('users.account_id', '=', sql<number>`coalesce(recipients.parent_id, recipients.id)`)
        .where('users.role', '=', 'owner')
        .orderBy('users.id')
        .limit(1)
        .as('owner'),
    )
    .where('recipients.id', '=', parameter('accountId')),
);

/** Returns an expression for the account's own verified host, where its customers use the admin app. */
function appHostOf(accountId: `${string}.account_id`) {
  return sql<string | null>`(
    select domains.host from domains
    where domains.account_id = ${sql.ref(accountId)} and domains.is_app = 1 and domains.verified_at is not null
    order by domains.id limit 1
  )`;
}
