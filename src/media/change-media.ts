import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { getMedia, type Media } from './media.ts';

/** In characters. What takes more than that belongs into the text. */
const LONGEST_ALT = 1000;

/**
 * Says what an image shows: empty where it is only decoration, null where nobody has said. Pages that show it keep what
 * they say of it.
 * @throws AppError `not_found`, ValidationError
 */
export async function changeMedia(
  trx: Trx,
  accountId: number,
  { id, alt }: { id: number; alt: string | null },
): Promise<Media> {
  if (alt !== null && alt.length > LONGEST_ALT) {
    throw new ValidationError([['alt', `is too long (at most ${LONGEST_ALT} characters)`]]);
  }
  await trx
    .updateTable('media')
    .set({ alt: alt?.replace(/\s+/g, ' ').trim() ?? null })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .execute();
  return getMedia(trx, accountId, id);
}
