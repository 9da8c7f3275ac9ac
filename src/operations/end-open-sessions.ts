import type { Trx } from '../db/database.ts';

/**
 * Ends the sessions and links that were open when the backup was made, and deletes pending challenges and undoable
 * removals. Since that moment, sessions may have been ended, links used and removals become final, which the database no
 * longer knows.
 */
export async function endOpenSessions(trx: Trx): Promise<void> {
  const now = Date.now();
  await trx.updateTable('sessions').set({ ended_at: now }).where('ended_at', 'is', null).execute();
  await trx.updateTable('one_time_links').set({ used_at: now }).where('used_at', 'is', null).execute();
  await trx.deleteFrom('passkey_challenges').execute();
  await trx.deleteFrom('removals').execute();
  // The archives' files may not match the restored rows.
  await trx.deleteFrom('account_archives').execute();
}
