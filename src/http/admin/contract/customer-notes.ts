import * as v from 'valibot';
import { integer, text } from '../schema.ts';

/** GET /admin/customers/ID/notes: notes by the account's users, the latest first. The customer never sees them. */
export interface NotesJson {
  notes: NoteJson[];
}

export interface NoteJson {
  id: number;
  text: string;
  /** The version to send as `seenVersion`. */
  version: number;
  author: string;
  createdAt: number;
  /** The person who last changed the note, and when; null if it was never changed. */
  editor: string | null;
  changedAt: number | null;
}

/** POST /admin/customers/ID/notes → 201 { id } */
export const noteInput = v.object({ text });
export type NoteInput = v.InferInput<typeof noteInput>;

/**
 * PATCH /admin/customer-notes/ID → 204. `seenVersion` is the version that the change is based on. DELETE deletes the note;
 * POST /admin/customer-notes/ID/restore can undo the deletion for 10 minutes.
 */
export const changeNoteInput = v.object({ text, seenVersion: integer });
export type ChangeNoteInput = v.InferInput<typeof changeNoteInput>;
