import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import type { BrokenRule, FieldError } from '../field-error.ts';
import { defaultWords, type MailKind, type MailWords, placeholdersIn, placeholdersOf } from '../mail/mail-words.ts';
import { Refusal } from '../refusal.ts';
import { isTopLevel } from '../tenancy/is-top-level.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { findOwnBrand } from './brand.ts';
import { findMailWords, type StoredMailWords } from './list-mail-words.ts';

interface ChangeInput extends MailWords {
  readonly kind: MailKind;
  /** The version that the user saw, 0 for the default; undefined to overwrite any version. */
  readonly seenVersion?: number | undefined;
}

/**
 * Changes the words of a kind of message to the account's customers. Words equal to the default are not stored. They are
 * used as long as the account has a brand. Only top-level accounts can change words: anybody can create other accounts and
 * have strangers mailed.
 * @throws ValidationError with every wrong field; Refusal if the account is not top-level or has no brand, or another user
 * has changed the words since the version that the user saw.
 */
export async function changeMailWords(trx: Trx, accountId: number, input: ChangeInput, by: Actor): Promise<void> {
  const { kind, seenVersion } = input;
  await lockAccount(trx, accountId);
  const before = await findMailWords(trx, accountId, kind);
  refuseStale(before, seenVersion);
  if (!(await isTopLevel(trx, accountId))) throw new Refusal('conflict', { reason: 'not_top_level' });
  if (!(await findOwnBrand(trx, accountId))) throw new Refusal('conflict', { reason: 'no_brand' });
  const words = { subject: input.subject.trim(), text: input.text.replace(/\r\n?/g, '\n').trim() };
  const failures = validate(kind, words);
  if (failures.length > 0) throw new ValidationError(failures);
  if (isSame(words, defaultWords[kind])) return deleteWords(trx, accountId, kind, before, by);
  if (before && isSame(words, before)) return;
  const values = { ...words, version: (before?.version ?? 0) + 1, changed_at: Date.now() };
  await trx
    .insertInto('mail_words')
    .values({ account_id: accountId, kind, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet(values))
    .execute();
  const event = { action: 'brand.words_changed', subject: `account_${accountId}`, details: { kind, ...words } };
  await recordAuditEvent(trx, accountId, by, event);
}

/**
 * Resets a kind of message to its default words.
 * @throws Refusal when another user has changed the words since the version that the user saw.
 */
export async function resetMailWords(
  trx: Trx,
  accountId: number,
  { kind, seenVersion }: Omit<ChangeInput, keyof MailWords>,
  by: Actor,
): Promise<void> {
  await lockAccount(trx, accountId);
  const before = await findMailWords(trx, accountId, kind);
  refuseStale(before, seenVersion);
  await deleteWords(trx, accountId, kind, before, by);
}

async function deleteWords(
  trx: Trx,
  accountId: number,
  kind: MailKind,
  before: StoredMailWords | undefined,
  by: Actor,
): Promise<void> {
  if (!before) return;
  await trx.deleteFrom('mail_words').where('account_id', '=', accountId).where('kind', '=', kind).execute();
  const event = { action: 'brand.words_reset', subject: `account_${accountId}`, details: { kind } };
  await recordAuditEvent(trx, accountId, by, event);
}

function refuseStale(before: StoredMailWords | undefined, seenVersion: number | undefined): void {
  if (seenVersion === undefined || seenVersion === (before?.version ?? 0)) return;
  throw new Refusal('conflict', { reason: 'words_changed' });
}

function isSame(one: MailWords, other: MailWords): boolean {
  return one.subject === other.subject && one.text === other.text;
}

const MAX_SUBJECT_CHARACTERS = 150;
const MAX_TEXT_CHARACTERS = 5000;

function validate(kind: MailKind, { subject, text }: MailWords): FieldError[] {
  const { required, optional } = placeholdersOf[kind];
  const failures: FieldError[] = [];
  const check = (field: keyof MailWords, problem: BrokenRule | undefined) => {
    if (problem) failures.push({ field, ...problem });
  };
  check('subject', problemWith(subject, { max: MAX_SUBJECT_CHARACTERS, allowed: optional, controls: /\p{Cc}/u }));
  const allowed = [...required, ...optional];
  // The text may contain line breaks and tabs.
  check('text', problemWith(text, { max: MAX_TEXT_CHARACTERS, allowed, controls: /[^\P{Cc}\n\t]/u }));
  const missing = required.filter((name) => !placeholdersIn(text).includes(name));
  if (missing.length > 0) check('text', { code: 'placeholders_missing', params: { names: missing } });
  return failures;
}

function problemWith(
  text: string,
  { max, allowed, controls }: { max: number; allowed: readonly string[]; controls: RegExp },
): BrokenRule | undefined {
  if (text === '') return { code: 'blank' };
  if ([...text].length > max) return { code: 'too_long', params: { max } };
  if (controls.test(text)) return { code: 'control_character' };
  const unknown = placeholdersIn(text).find((name) => !allowed.includes(name));
  if (unknown === undefined) return undefined;
  return { code: 'placeholder_unknown', params: { name: unknown.slice(0, 40), allowed } };
}
