import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { formatMediaId, getMedia, type Media } from './media.ts';

/** The longest description: a longer text belongs on the page. */
const MAX_ALT_CHARACTERS = 1000;

/**
 * Sets the description of an image: empty for a decorative image, null for none. Pages that show the image keep their own
 * descriptions.
 * @throws AppError `not_found`; ValidationError
 */
export async function changeMedia(
  trx: Trx,
  accountId: number,
  { id, alt }: { id: number; alt: string | null },
  by: Actor,
): Promise<Media> {
  if (alt !== null && alt.length > MAX_ALT_CHARACTERS) {
    throw new ValidationError([{ field: 'alt', code: 'too_long', params: { max: MAX_ALT_CHARACTERS } }]);
  }
  if (alt?.includes('\0')) throw new ValidationError([{ field: 'alt', code: 'nul_character' }]);
  // Lists of pages on the site show the description.
  await raiseContentVersion(trx, accountId, Date.now());
  await trx
    .updateTable('media')
    .set({ alt: alt?.replace(/\s+/g, ' ').trim() ?? null })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .execute();
  const media = await getMedia(trx, accountId, id);
  const event = { action: 'media.described', subject: formatMediaId(id), details: { alt: media.alt } };
  await recordAuditEvent(trx, accountId, by, event);
  return media;
}
