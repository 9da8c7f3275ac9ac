import { parseColour } from '../colour.ts';
import type { Trx } from '../db/database.ts';
import type { BrokenRule, FieldError } from '../field-error.ts';
import { isPlainAddress } from '../mail/plain-address.ts';
import { validateLabel } from '../name.ts';
import { emailKey } from '../users/create-user.ts';
import { brandImage } from './brand-image.ts';

type FieldName = (typeof columns)[number][0];

/** The fields of a brand, by the names that surfaces use. */
export type BrandFields<T> = { readonly [N in FieldName]?: T };

/** Each field of a brand with its column. */
const columns = [
  ['name', 'name'],
  ['accent', 'accent'],
  ['supportEmail', 'support_email'],
  ['supportUrl', 'support_url'],
  ['legalNoticeUrl', 'legal_notice_url'],
  ['privacyUrl', 'privacy_url'],
  ['termsUrl', 'terms_url'],
  ['senderName', 'sender_name'],
  ['replyTo', 'reply_to'],
  ['logo', 'logo'],
  ['logoDark', 'logo_dark'],
  ['icon', 'icon'],
] as const;

type Column = (typeof columns)[number][1];

/** The columns to write. An invalid colour stays as entered, so that `checkBrandFields` refuses it. */
type BrandColumns = { name?: string; accent?: string } & {
  [C in Exclude<Column, 'name' | 'accent'>]?: string | null;
};

export function readBrandFields(input: BrandFields<string | undefined>): BrandColumns {
  const read: Partial<Record<Column, string | null>> = {};
  for (const [field, column] of columns) {
    const text = input[field]?.trim();
    if (text === undefined) continue;
    if (column === 'name') read[column] = text;
    else if (column === 'accent') read[column] = parseColour(text) ?? text;
    else read[column] = text || null;
  }
  return read as BrandColumns;
}

interface CheckContext {
  isNew: boolean;
  isTopLevel: boolean;
}

/** Returns all rules that the fields break. */
export async function checkBrandFields(
  trx: Trx,
  accountId: number,
  given: BrandColumns,
  { isNew, isTopLevel }: CheckContext,
): Promise<FieldError[]> {
  const failures: FieldError[] = [];
  for (const [field, column] of columns) {
    const text = given[column];
    if (column === 'name' && text === undefined && isNew) failures.push({ field, code: 'blank' });
    const problem = text == null ? undefined : problemWith(column, text);
    if (problem) failures.push({ field, ...problem });
    else if (isImage(column) && text && !(await hasImage(trx, accountId, text))) {
      failures.push({ field, code: 'not_included' });
    } else if (column === 'reply_to' && text && !isTopLevel && !(await isProved(trx, accountId, text))) {
      failures.push({ field, code: 'not_proved' });
    }
  }
  return failures;
}

function problemWith(column: Column, text: string): BrokenRule | undefined {
  switch (column) {
    case 'name':
    case 'sender_name':
      return [...text].length > MAX_NAME_CHARACTERS
        ? { code: 'too_long', params: { max: MAX_NAME_CHARACTERS } }
        : validateLabel(text);
    case 'accent':
      return parseColour(text) === undefined ? { code: 'not_a_colour' } : undefined;
    case 'support_email':
    case 'reply_to':
      return text.length <= MAX_EMAIL_CHARACTERS && isPlainAddress(text) ? undefined : { code: 'not_a_mail_address' };
    case 'logo':
    case 'logo_dark':
    case 'icon':
      return brandImage(text) ? undefined : { code: 'not_included' };
    default:
      return isWebAddress(text) ? undefined : { code: 'not_a_url' };
  }
}

/** The longest name: it is shown in titles and in the headers of messages. */
const MAX_NAME_CHARACTERS = 60;
const MAX_EMAIL_CHARACTERS = 254;
const MAX_URL_CHARACTERS = 1000;

function isWebAddress(text: string): boolean {
  if (text.length > MAX_URL_CHARACTERS || !/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}

/**
 * Returns true if a user of the account has proved the address by a mailed link. Any account can have customers, and must
 * not be able to direct their replies to a stranger: see decision 051.
 */
async function isProved(trx: Trx, accountId: number, email: string): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('email_key', '=', emailKey(email))
    .where('address_proved_at', 'is not', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return user !== undefined;
}

function isImage(column: Column): boolean {
  return column === 'logo' || column === 'logo_dark' || column === 'icon';
}

/** Returns true if the account has uploaded the image. */
async function hasImage(trx: Trx, accountId: number, name: string): Promise<boolean> {
  const images = trx.selectFrom('brand_images').select('name').where('account_id', '=', accountId);
  return (await images.where('name', '=', name).executeTakeFirst()) !== undefined;
}
