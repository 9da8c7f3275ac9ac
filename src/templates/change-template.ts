import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { validateLabel } from '../name.ts';
import { Refusal } from '../refusal.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { getReadableSite } from './read-site.ts';
import { getTemplate, listTemplates, MAX_TEMPLATES, type TemplateRow } from './templates.ts';

const MAX_DESCRIPTION_CHARACTERS = 1000;

interface TemplateTexts {
  name?: string | undefined;
  description?: string | undefined;
}

/**
 * Offers a site, the account's own or a customer's, as a template, last in the list. A site whose template was retired is
 * offered again. Returns the template's id.
 * @throws AppError `not_found`; `conflict` if there are too many templates, or the customer forbids its agency to act in its
 * account; ValidationError
 */
export async function offerTemplate(
  trx: Trx,
  accountId: number,
  { siteId, name = '', description = '' }: TemplateTexts & { siteId: number },
  by: Actor,
): Promise<number> {
  const texts = checkTexts({ name, description });
  await lockAccount(trx, accountId);
  await getReadableSite(trx, accountId, siteId);
  const all = await listTemplates(trx, accountId);
  const existing = all.find(({ site_id }) => site_id === siteId);
  if (!existing && all.length >= MAX_TEMPLATES) {
    throw new Refusal('conflict', { reason: 'too_many_templates', params: { max: MAX_TEMPLATES } });
  }
  const id = await catchTakenName(async () => {
    if (existing) {
      await setColumns(trx, accountId, existing.id, { ...texts, retired_at: null });
      return existing.id;
    }
    const position = Math.max(0, ...all.map((template) => template.position)) + 1;
    const { id } = await trx
      .insertInto('templates')
      .values({ account_id: accountId, site_id: siteId, position, created_at: Date.now(), retired_at: null, ...texts })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
  await record(trx, accountId, { action: 'offered', id, name: texts.name }, by);
  return id;
}

/** Changes the given ones of the template's name and description. @throws AppError `not_found`; ValidationError */
export async function changeTemplate(
  trx: Trx,
  accountId: number,
  { id, ...given }: TemplateTexts & { id: number },
  by: Actor,
): Promise<void> {
  await lockAccount(trx, accountId);
  const before = await getTemplate(trx, accountId, id);
  const { name, description } = {
    ...before,
    ...Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined)),
  };
  const texts = checkTexts({ name, description });
  if (texts.name === before.name && texts.description === before.description) return;
  await catchTakenName(() => setColumns(trx, accountId, id, texts));
  await record(trx, accountId, { action: 'changed', id, name: texts.name, from: before.name }, by);
}

/**
 * Retires a template: new customers cannot start from it. Sites that were made from it stay. @throws AppError `not_found`
 */
export async function retireTemplate(trx: Trx, accountId: number, id: number, by: Actor): Promise<void> {
  await lockAccount(trx, accountId);
  const { name, retired_at } = await getTemplate(trx, accountId, id);
  if (retired_at !== null) return;
  await setColumns(trx, accountId, id, { retired_at: Date.now() });
  await record(trx, accountId, { action: 'retired', id, name }, by);
}

/** Offers a retired template again. @throws AppError `not_found` */
export async function restoreTemplate(trx: Trx, accountId: number, id: number, by: Actor): Promise<void> {
  await lockAccount(trx, accountId);
  const { name, retired_at } = await getTemplate(trx, accountId, id);
  if (retired_at === null) return;
  await setColumns(trx, accountId, id, { retired_at: null });
  await record(trx, accountId, { action: 'restored', id, name }, by);
}

/** Moves a template to a place in the list, from 1; a place beyond the end means the last. @throws AppError `not_found` */
export async function moveTemplate(
  trx: Trx,
  accountId: number,
  { id, position }: { id: number; position: number },
  by: Actor,
): Promise<void> {
  await lockAccount(trx, accountId);
  const { name } = await getTemplate(trx, accountId, id);
  const before = (await listTemplates(trx, accountId)).map((template) => template.id);
  const others = before.filter((other) => other !== id);
  const after = others.toSpliced(Math.max(0, position - 1), 0, id);
  if (after.every((other, index) => other === before[index])) return;
  for (const [index, other] of after.entries()) await setColumns(trx, accountId, other, { position: index + 1 });
  await record(trx, accountId, { action: 'moved', id, name }, by);
}

function checkTexts({ name, description }: { name: string; description: string }) {
  const texts = { name: name.trim(), description: description.trim() };
  const failures: FieldError[] = [];
  const problem = validateLabel(texts.name);
  if (problem) failures.push({ field: 'name', ...problem });
  if (texts.description.includes('\0')) failures.push({ field: 'description', code: 'nul_character' });
  if (texts.description.length > MAX_DESCRIPTION_CHARACTERS) {
    failures.push({ field: 'description', code: 'too_long', params: { max: MAX_DESCRIPTION_CHARACTERS } });
  }
  if (failures.length > 0) throw new ValidationError(failures);
  return texts;
}

/** Runs a change of a name. @throws ValidationError if another template has the name */
async function catchTakenName<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (violatedUniqueRule(error) === 'templates_name') throw new ValidationError([{ field: 'name', code: 'taken' }]);
    throw error;
  }
}

type Columns = Partial<Pick<TemplateRow, 'name' | 'description' | 'position' | 'retired_at'>>;

async function setColumns(trx: Trx, accountId: number, id: number, columns: Columns): Promise<void> {
  await trx.updateTable('templates').set(columns).where('account_id', '=', accountId).where('id', '=', id).execute();
}

interface TemplateEvent {
  action: 'offered' | 'changed' | 'retired' | 'restored' | 'moved';
  id: number;
  name: string;
  /** The former name. */
  from?: string;
}

async function record(
  trx: Trx,
  accountId: number,
  { action, id, ...details }: TemplateEvent,
  by: Actor,
): Promise<void> {
  await recordAuditEvent(trx, accountId, by, { action: `template.${action}`, subject: `template_${id}`, details });
}
