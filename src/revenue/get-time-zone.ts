import type { Db } from '../db/database.ts';

/** Returns the time zone in which the account's days begin and end. */
export async function getTimeZone(db: Db, accountId: number): Promise<string> {
  const account = db.selectFrom('accounts').select('time_zone').where('id', '=', accountId);
  return (await account.executeTakeFirstOrThrow()).time_zone;
}
