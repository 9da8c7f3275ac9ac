import { getCustomer } from '../accounts/change-customer.ts';
import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { notFound, ValidationError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { REMOVAL_RETENTION_MS } from '../removals/removals.ts';

/*
 * Notes on customers. They belong to the seller: neither the customer nor its log ever shows them. Callers that change notes
 * have locked the seller's account in their transaction.
 */

const MAX_NOTE_CHARACTERS = 10_000;

/** The most notes on a customer: more than anybody reads, and few enough for one response. */
const MAX_NOTES = 200;

/**
 * Returns the notes on a customer, the latest first.
 * @throws AppError `not_found` when the seller has no such customer.
 */
export async function listNotes(db: Db | Trx, accountId: number, customerId: number) {
  await getCustomer(db, accountId, customerId);
  return db
    .selectFrom('customer_notes as notes')
    .innerJoin('users as authors', (join) =>
      join.onRef('authors.account_id', '=', 'notes.account_id').onRef('authors.id', '=', 'notes.user_id'),
    )
    .leftJoin('users as editors', (join) =>
      join.onRef('editors.account_id', '=', 'notes.account_id').onRef('editors.id', '=', 'notes.changed_by'),
    )
    .select(['notes.id', 'notes.text', 'notes.version', 'notes.created_at', 'notes.changed_at'])
    .select(['authors.name as author', 'editors.name as editor'])
    .where('notes.account_id', '=', accountId)
    .where('notes.customer_id', '=', customerId)
    .where('notes.deleted_at', 'is', null)
    .orderBy('notes.id', 'desc')
    .execute();
}

/**
 * Adds a note on a customer and returns its id.
 * @throws AppError `not_found`, `conflict` for too many notes; ValidationError
 */
export async function addNote(
  trx: Trx,
  accountId: number,
  { customerId, text }: { customerId: number; text: string },
  by: UserActor,
): Promise<number> {
  checkText(text);
  const customer = await getCustomer(trx, accountId, customerId);
  await checkNoteCount(trx, accountId, customerId);
  const { id } = await trx
    .insertInto('customer_notes')
    .values({
      account_id: accountId,
      customer_id: customerId,
      user_id: by.userId,
      text: text.trim(),
      version: 1,
      created_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordNoteEvent(trx, accountId, 'added', customer, by);
  return id;
}

interface ChangeNoteInput {
  id: number;
  text: string;
  /** The version that the user saw. */
  seenVersion: number;
}

/**
 * Changes the text of a note, if the user saw its current version.
 * @throws AppError `not_found`; `conflict`, with the current text, if another user has changed the note; ValidationError
 */
export async function changeNote(
  trx: Trx,
  accountId: number,
  { id, text, seenVersion }: ChangeNoteInput,
  by: UserActor,
): Promise<void> {
  checkText(text);
  const note = await getNote(trx, accountId, id);
  const customer = await getCustomer(trx, accountId, note.customer_id);
  if (note.deleted_at !== null) throw notFound('The note');
  if (note.text === text.trim()) return;
  if (note.version !== seenVersion) {
    throw new Refusal('conflict', { reason: 'note_changed', params: { text: note.text } });
  }
  const values = { text: text.trim(), version: note.version + 1, changed_at: Date.now(), changed_by: by.userId };
  await updateNote(trx, accountId, id, values);
  await recordNoteEvent(trx, accountId, 'changed', customer, by);
}

/**
 * Deletes a note. For 10 minutes `restoreNote` undoes this.
 * @throws AppError `not_found`
 */
export async function deleteNote(trx: Trx, accountId: number, id: number, by: UserActor): Promise<void> {
  const note = await getNote(trx, accountId, id);
  const customer = await getCustomer(trx, accountId, note.customer_id);
  if (note.deleted_at !== null) return;
  await updateNote(trx, accountId, id, { deleted_at: Date.now() });
  await recordNoteEvent(trx, accountId, 'deleted', customer, by);
}

/**
 * Restores a deleted note.
 * @throws AppError `not_found`; `conflict` when it is too late, or there are too many notes.
 */
export async function restoreNote(trx: Trx, accountId: number, id: number, by: UserActor): Promise<void> {
  const note = await getNote(trx, accountId, id);
  const customer = await getCustomer(trx, accountId, note.customer_id);
  if (note.deleted_at === null) return;
  if (note.deleted_at <= Date.now() - REMOVAL_RETENTION_MS) {
    throw new Refusal('conflict', { reason: 'removed_too_long_ago' });
  }
  await checkNoteCount(trx, accountId, note.customer_id);
  await updateNote(trx, accountId, id, { deleted_at: null });
  await recordNoteEvent(trx, accountId, 'restored', customer, by);
}

function checkText(text: string): void {
  if (text.trim() === '') throw new ValidationError([{ field: 'text', code: 'blank' }]);
  if ([...text.trim()].length > MAX_NOTE_CHARACTERS) {
    throw new ValidationError([{ field: 'text', code: 'too_long', params: { max: MAX_NOTE_CHARACTERS } }]);
  }
}

async function checkNoteCount(trx: Trx, accountId: number, customerId: number): Promise<void> {
  const { count } = await trx
    .selectFrom('customer_notes')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= MAX_NOTES) throw new Refusal('conflict', { reason: 'too_many_notes', params: { max: MAX_NOTES } });
}

async function getNote(trx: Trx, accountId: number, id: number) {
  const note = await trx
    .selectFrom('customer_notes')
    .select(['customer_id', 'text', 'version', 'deleted_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!note) throw notFound('The note');
  return note;
}

interface NoteChange {
  text?: string;
  version?: number;
  changed_at?: number;
  changed_by?: number;
  deleted_at?: number | null;
}

async function updateNote(trx: Trx, accountId: number, id: number, values: NoteChange): Promise<void> {
  await trx
    .updateTable('customer_notes')
    .set(values)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

type Change = 'added' | 'changed' | 'deleted' | 'restored';

/** Records a change in the seller's log, without the text. */
function recordNoteEvent(
  trx: Trx,
  accountId: number,
  change: Change,
  { id, name }: { id: number; name: string },
  by: UserActor,
): Promise<void> {
  const event = { action: `customer.note_${change}`, subject: `customer_${id}`, details: { name } };
  return recordAuditEvent(trx, accountId, by, event);
}
