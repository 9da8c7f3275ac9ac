import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import type { BodyFormat } from '../db/schema.ts';
import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { validateLabel } from '../name.ts';
import type { PageOwner } from '../pages/default-pages.ts';
import { rewriteDefaultPages } from '../pages/rewrite-default-pages.ts';
import { type ChangeSiteInput, changeSite } from '../sites/change-site.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { nameKey } from './name-key.ts';

/** The settings that an account's users can change. `undefined` leaves a setting unchanged. */
interface ChangeSettingsInput extends ChangeSiteInput {
  name?: string | undefined;
  /** The body format of new pages. */
  editor?: string | undefined;
  /** An IANA name, such as `Europe/Berlin`. */
  timeZone?: string | undefined;
}

const editors: readonly BodyFormat[] = ['markdown_format', 'wysiwyg_format'];

/**
 * Changes an account's settings.
 * @throws ValidationError with every invalid field; nothing is changed then.
 */
export async function changeSettings(
  trx: Trx,
  accountId: number,
  input: ChangeSettingsInput,
  by: Actor,
): Promise<void> {
  await raiseContentVersion(trx, accountId, Date.now());
  const name = input.name?.trim();
  const editor = editors.find((known) => known === input.editor);
  const timeZone = input.timeZone === undefined ? undefined : parseTimeZone(input.timeZone);
  const failures: FieldError[] = [];
  const before = await getPageOwner(trx, accountId);
  // A program may have set a name that this form refuses: the name may stay while other fields change.
  const problem = name === undefined || name === before.name ? undefined : validateLabel(name);
  if (problem) failures.push({ field: 'name', ...problem });
  if (input.editor !== undefined && !editor) failures.push({ field: 'editor', code: 'not_included' });
  if (input.timeZone !== undefined && !timeZone) failures.push({ field: 'timeZone', code: 'not_a_time_zone' });
  await changeSite(trx, accountId, input).catch((error: unknown) => {
    if (!(error instanceof ValidationError)) throw error;
    failures.push(...error.fields);
  });
  if (failures.length > 0) throw new ValidationError(failures);

  const changes = {
    ...(name && { name, name_key: nameKey(name) }),
    ...(editor && { editor }),
    ...(timeZone && { time_zone: timeZone }),
  };
  if (Object.keys(changes).length > 0) {
    await trx.updateTable('accounts').set(changes).where('id', '=', accountId).execute();
  }
  await rewriteDefaultPages(trx, accountId, { before, after: await getPageOwner(trx, accountId) });
  if (Object.values(input).every((value) => value === undefined)) return;
  const event = { action: 'settings.changed', subject: `account_${accountId}`, details: { ...input } };
  await recordAuditEvent(trx, accountId, by, event);
}

function getPageOwner(trx: Trx, accountId: number): Promise<PageOwner> {
  return trx.selectFrom('accounts').select(['name', 'language']).where('id', '=', accountId).executeTakeFirstOrThrow();
}

/**
 * Returns the canonical name of a time zone; undefined if there is none. Offsets (`+02:00`) are not accepted, since they
 * have no daylight saving time.
 */
export function parseTimeZone(text: string): string | undefined {
  if (!/^[A-Za-z]/.test(text.trim())) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text.trim() }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
