import { addNote, changeNote, deleteNote, listNotes, restoreNote } from '../../customers/notes.ts';
import { changeById } from './change-by-id.ts';
import { changeNoteInput, noteInput } from './contract/customer-notes.ts';
import type { NotesJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** Returns the routes for the notes of an account's users about its customers. */
export function customerNoteRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/customers/:id/notes', {
      needs: 'view_customers',
      handle: async ({ id, sessionOwner: { accountId } }) => {
        const notes = await listNotes(db, accountId, id);
        return jsonResponse(200, {
          notes: notes.map(({ id, text, version, author, created_at, editor, changed_at }) => ({
            id,
            text,
            version,
            author,
            editor,
            createdAt: created_at,
            changedAt: changed_at,
          })),
        } satisfies NotesJson);
      },
    }),
    route('POST /admin/customers/:id/notes', {
      needs: 'manage_customers',
      body: noteInput,
      handle: async ({ id, sessionOwner: { accountId }, body: { text }, actor, change }) =>
        jsonResponse(201, { id: await change((trx) => addNote(trx, accountId, { customerId: id, text }, actor)) }),
    }),
    route('PATCH /admin/customer-notes/:id', {
      needs: 'manage_customers',
      body: changeNoteInput,
      handle: async ({ id, sessionOwner: { accountId }, body, actor, change }) => {
        await change((trx) => changeNote(trx, accountId, { id, ...body }, actor));
        return emptyResponse();
      },
    }),
    route('DELETE /admin/customer-notes/:id', {
      needs: 'manage_customers',
      handle: changeById(deleteNote),
    }),
    route('POST /admin/customer-notes/:id/restore', {
      needs: 'manage_customers',
      handle: changeById(restoreNote),
    }),
  ];
}
