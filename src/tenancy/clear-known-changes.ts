import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';

/**
 * Records that changes of pages up to the version, or up to the present one, can no longer be listed: a client with an older
 * list of the pages has to read all of it again.
 */
export async function clearKnownChanges(trx: Trx, accountId: number, version?: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ changes_known_from: version ?? sql`content_version` })
    .where('id', '=', accountId)
    .where('changes_known_from', '<', version ?? sql<number>`content_version`)
    .execute();
}
