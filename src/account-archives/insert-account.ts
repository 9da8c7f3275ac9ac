import { sql } from 'kysely';
import { formatAccountId } from '../accounts/account.ts';
import { createEmptyAccount } from '../accounts/create-account.ts';
import { beginTrial, hasTrial } from '../accounts/trial.ts';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { changeBrand } from '../brands/change-brand.ts';
import { changeMailWords } from '../brands/change-mail-words.ts';
import type { Config } from '../config.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { disableStatementTimeout } from '../db/disable-statement-timeout.ts';
import type { BodyFormat, Flag, Theme } from '../db/schema.ts';
import { addDomain } from '../domains/add-domain.ts';
import { changeDomainUse } from '../domains/change-domain-use.ts';
import { inEnglish } from '../english.ts';
import { AppError, LimitReached, ValidationError } from '../errors.ts';
import type { MailKind } from '../mail/mail-words.ts';
import { recordPlanChange } from '../plans/plan-changes.ts';
import { countNewCustomerOn, countTrial } from '../plans/plans.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { findPlanLimitFailure } from '../tenancy/plan-limits.ts';
import type { CheckedArchive } from './check-archive.ts';
import { type FileName, type Line, pathOf } from './format.ts';
import { insertLines } from './insert-lines.ts';
import type { ArchiveReader } from './zip-reader.ts';

/** A part of the archive that was left out, since the account may not have it in this place. */
export interface ImportNote {
  readonly code: 'reply_to' | 'mail_words' | 'app_domain';
  /** The address, kind of message or host. */
  readonly value: string;
}

export interface Place {
  readonly id: number;
  readonly subdomain: string;
  readonly sellerId: number | undefined;
  readonly planId: number | undefined;
}

interface InsertAccountInput {
  readonly archive: CheckedArchive;
  readonly place: Place;
  /** The folders of the images in the store, in their order. */
  readonly folders: readonly string[];
  readonly config: Config;
}

/**
 * Inserts an account with the content of the archive. The account becomes a customer last, so that the seller's other
 * changes wait only briefly.
 * @throws AppError, ValidationError, LimitReached; the transaction must then be rolled back
 */
export async function insertAccount(
  trx: Trx,
  reader: ArchiveReader,
  { archive, place, folders, config }: InsertAccountInput,
  by: Actor,
): Promise<ImportNote[]> {
  await disableStatementTimeout(trx, dialectOf(trx));
  const { account } = archive;
  const { id, subdomain, sellerId, planId } = place;
  const name = String(account.name);
  await createEmptyAccount(
    trx,
    {
      id,
      parentId: null,
      planId: null,
      accountName: name,
      subdomain,
      pageBytes: archive.pageBytes,
      editor: account.editor as BodyFormat,
      language: String(account.language),
    },
    config,
  );
  const { pageIds } = await insertLines(trx, reader, { id, archive, folders });
  await setSettings(trx, id, archive, pageIds);
  const isCustomer = sellerId !== undefined && planId !== undefined;
  if (isCustomer) await becomeCustomer(trx, { id, name, sellerId, planId }, by);
  const notes = await addSellerDependentParts(trx, reader, { id, isCustomer }, by);
  const { pages, people } = reader.manifest.lines;
  const event = { action: 'account.imported', subject: formatAccountId(id), details: { name, pages, people } };
  await recordAuditEvent(trx, id, by, event);
  return notes;
}

async function setSettings(
  trx: Trx,
  id: number,
  { account, lastVersion }: CheckedArchive,
  pageIds: readonly number[],
): Promise<void> {
  const button = account.second_button_page as number | null;
  // Versions name answers that clients cache, including those of an earlier site at this address. The time in milliseconds
  // is above any count of changes.
  const version = Math.max(Date.now(), lastVersion + 1);
  await trx
    .updateTable('accounts')
    .set({
      own_plan_name: String(account.own_plan_name),
      own_plan_price_cents: Number(account.own_plan_price_cents),
      theme: account.theme as Theme,
      accent: String(account.accent),
      time_zone: String(account.time_zone),
      currency: account.currency as string | null,
      second_button_page_id: button === null ? null : pageIds[button - 1]!,
      content_version: version,
      changes_known_from: version,
    })
    .where('id', '=', id)
    .execute();
  if (account.allows_agency === null) return;
  const flag = (value: unknown): Flag => (value === true ? 1 : 0);
  await trx
    .insertInto('agency_access')
    .values({ account_id: id, is_allowed: flag(account.allows_agency), is_mailed: flag(account.mails_agency_visits) })
    .execute();
}

/** Makes the account a customer on the plan, like a newly created one. */
async function becomeCustomer(
  trx: Trx,
  { id, name, sellerId, planId }: { id: number; name: string; sellerId: number; planId: number },
  by: Actor,
): Promise<void> {
  await raiseCustomersVersion(trx, sellerId);
  const plan = await countNewCustomerOn(trx, sellerId, planId);
  await sql`update accounts set parent_id = ${sellerId}, plan_id = ${planId} where id = ${id}`.execute(trx);
  await checkLimits(trx, id);
  const isTrial = hasTrial(plan);
  if (isTrial) {
    await beginTrial(trx, sellerId, id, plan);
    await countTrial(trx, sellerId, plan.id, 1);
  }
  await recordPlanChange(trx, sellerId, { customerId: id, kind: 'created', from: null, to: plan, isTrial, by });
  const event = { action: 'customer.created', subject: `customer_${id}`, details: { name, imported: true } };
  await recordAuditEvent(trx, sellerId, by, event);
}

/** Checks that the account is within the limits of its plan. @throws LimitReached if it is not */
async function checkLimits(trx: Db | Trx, id: number): Promise<void> {
  for (const limit of ['pages', 'people', 'storage'] as const) {
    const full = await findPlanLimitFailure(trx, id, limit, 0);
    if (full) throw new LimitReached([full]);
  }
}

/**
 * Adds the parts that depend on the account's seller: its brand, its words of messages to its own customers, and its
 * domains.
 */
async function addSellerDependentParts(
  trx: Trx,
  reader: ArchiveReader,
  { id, isCustomer }: { id: number; isCustomer: boolean },
  by: Actor,
): Promise<ImportNote[]> {
  const notes: ImportNote[] = [];
  const hasOwnApp = !isCustomer && reader.manifest.lines.brand === 1;
  const each = (name: FileName, add: (line: Line) => Promise<unknown>) => addEach(reader, name, add);
  await each('brand', async (line) => {
    const text = (value: unknown) => (value === null ? undefined : String(value));
    // A customer's address has to be proved again, so that no replies go to strangers.
    if (isCustomer && line.reply_to !== null) notes.push({ code: 'reply_to', value: String(line.reply_to) });
    const replyTo = isCustomer ? undefined : text(line.reply_to);
    await changeBrand(
      trx,
      id,
      {
        name: text(line.name),
        accent: text(line.accent),
        replyTo,
        senderName: text(line.sender_name),
        supportEmail: text(line.support_email),
        supportUrl: text(line.support_url),
        legalNoticeUrl: text(line.legal_notice_url),
        privacyUrl: text(line.privacy_url),
        termsUrl: text(line.terms_url),
        logo: text(line.logo),
        logoDark: text(line.logo_dark),
        icon: text(line.icon),
      },
      by,
    );
  });
  await each('mail-words', async (line) => {
    const [kind, subject, text] = [String(line.kind) as MailKind, String(line.subject), String(line.text)];
    if (!hasOwnApp) notes.push({ code: 'mail_words', value: kind });
    else await changeMailWords(trx, id, { kind, subject, text }, by);
  });
  await each('domains', async (line) => {
    const host = String(line.host);
    const domain = await addDomain(trx, id, host, by);
    if (line.is_app !== true) return;
    if (!hasOwnApp) notes.push({ code: 'app_domain', value: host });
    else await changeDomainUse(trx, id, { id: domain.id, isApp: true }, by);
  });
  return notes;
}

/** Calls `add` for each line of a file. @throws AppError `invalid` that names the line that breaks a rule; LimitReached */
async function addEach(reader: ArchiveReader, name: FileName, add: (line: Line) => Promise<unknown>): Promise<void> {
  let number = 1;
  for await (const line of reader.lines(name)) {
    await add(line).catch((error: unknown) => {
      if (!(error instanceof ValidationError) || error instanceof LimitReached) throw error;
      const rules = error.fields.map((rule) => `"${rule.field}" ${inEnglish(rule)}`).join('; ');
      throw new AppError(
        'invalid',
        `The archive cannot be imported. Nothing was changed.\n  ${pathOf(name)}, line ${number}: ${rules}`,
      );
    });
    number += 1;
  }
}
