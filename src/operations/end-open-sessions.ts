import type { Trx } from '../db/database.ts';

/**
 * Ends what the database has open from an earlier moment. A session may have been ended since, for a reason; links may have been
 * used. Nobody can tell any more, so none of them works. Nor is a removal undone that was one for good by then.
 */
export async function endOpenSessions(trx: Trx): Promise<void> {
  const now = Date.now();
  await trx.updateTable('sessions').set({ ended_at: now }).where('ended_at', 'is', null).execute();
  await trx.updateTable('one_time_links').set({ used_at: now }).where('used_at', 'is', null).execute();
  await trx.deleteFrom('passkey_challenges').execute();
  await trx.deleteFrom('removals').execute();
  // Their files may not be those of this moment.
  await trx.deleteFrom('account_archives').execute();
}
