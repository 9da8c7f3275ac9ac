import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/*
 * Without a mail server a message is stored as a file and gets the status `kept`: the worker is done with it, but nobody has
 * received it. It keeps its secret, so that it can be sent once there is a server.
 */

/**
 * Returns advice for the operator about mail that is or will be kept as files; undefined if there is none. If SMTP_URL is
 * missing by mistake, messages reach nobody.
 */
export async function adviceOnKeptMail(db: Db, delivers: boolean): Promise<string | undefined> {
  if (!delivers) {
    const delivered = await db
      .selectFrom('outbox')
      .select('id')
      // A literal here and below, so that the partial index of the status can be used.
      .where('status', '=', sql.lit('sent'))
      .limit(1)
      .executeTakeFirst();
    if (!delivered) return undefined;
    return 'Messages were sent by a mail server before, but SMTP_URL is no longer set: messages are kept as files. Set SMTP_URL, then run the command mail retry --kept to send them.';
  }
  const { count } = await db
    .selectFrom('outbox')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('status', '=', sql.lit('kept'))
    .executeTakeFirstOrThrow();
  if (Number(count) === 0) return undefined;
  const messages = Number(count) === 1 ? '1 message was' : `${count} messages were`;
  return `${messages} kept as files while SMTP_URL was not set: see mail list --status kept; mail retry --kept sends them.`;
}
