import * as v from 'valibot';
import { integer, text } from '../schema.ts';

/** GET /admin/customers/ID/notes: the notes of the account's people, the latest first. The customer never sees them. */
export interface NotesJson {
  notes: NoteJson[];
}

export interface NoteJson {
  id: number;
  text: string;
  /** For `seenVersion`. */
  version: number;
  author: string;
  createdAt: number;
  /** The person who last changed it, and when; null if nobody has. */
  editor: string | null;
  changedAt: number | null;
}

/** POST /admin/customers/ID/notes → 201 { id } */
export const noteInput = v.object({ text });
export type NoteInput = v.InferInput<typeof noteInput>;

/**
 * PATCH /admin/customer-notes/ID → 204. `seenVersion` is the version that the person changed. DELETE takes the note away, and
 * POST /admin/customer-notes/ID/restore brings it back for 10 minutes.
 */
export const changeNoteInput = v.object({ text, seenVersion: integer });
export type ChangeNoteInput = v.InferInput<typeof changeNoteInput>;
