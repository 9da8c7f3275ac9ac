import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

/*
 * Without a mail server a message is kept as a file: the worker is done with it, and nobody has got it. It is `sent`, with
 * this as its `last_error`, and keeps its secret, so that it can be sent when there is a server.
 */
export const KEPT = 'kept as a file, since SMTP_URL was not set';

/** Whether the worker is done with a message, and it is only kept. */
export function isKept({ status, last_error }: { status: string; last_error: string | null }): boolean {
  return status === 'sent' && last_error !== null;
}

/** The same as a condition. Written out, so that the index of what was sent can be used. */
export function wasKept(e: ExpressionBuilder<Schema, 'outbox'>) {
  return e.and([e('outbox.status', '=', sql.lit('sent')), e('last_error', 'is not', null)]);
}

/** Messages that a server has taken. */
export function wasDelivered(e: ExpressionBuilder<Schema, 'outbox'>) {
  return e.and([e('outbox.status', '=', sql.lit('sent')), e('last_error', 'is', null)]);
}

/**
 * What the operator should know of mail that is kept as files, or will be: whoever forgets SMTP_URL once, say, has messages
 * that nobody got. Undefined where there is nothing to say.
 */
export async function adviceOnKeptMail(db: Db, delivers: boolean): Promise<string | undefined> {
  if (!delivers) {
    const delivered = await db.selectFrom('outbox').select('id').where(wasDelivered).limit(1).executeTakeFirst();
    if (!delivered) return undefined;
    return 'A mail server has sent messages before, and now there is none: is SMTP_URL missing? What is kept meanwhile is sent by the command mail retry --kept, once it is set.';
  }
  const { count } = await db
    .selectFrom('outbox')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where(wasKept)
    .executeTakeFirstOrThrow();
  if (Number(count) === 0) return undefined;
  const messages = Number(count) === 1 ? '1 message was' : `${count} messages were`;
  return `${messages} kept as files while SMTP_URL was not set: see mail list --status kept; mail retry --kept sends them.`;
}
