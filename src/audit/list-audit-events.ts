import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { latestFirst, limitInIndexOrder } from '../db/index-order.ts';
import { idRows } from '../db/json-list.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import type { AuditLogTable } from '../db/schema.ts';

export interface AuditEventRow extends Selectable<AuditLogTable> {
  /** The name of the API key that was used. Keys are revoked, but never deleted or renamed. */
  keyName: string | null;
  keyLast4: string | null;
  /** The page that is the subject, if it still exists. */
  pageId: number | null;
  /** True if the subject is a page or an image in the trash. */
  isInTrash: boolean;
}

interface ListAuditEventsInput {
  /** Lists only events of people, including the operator, or of programs; undefined for all. */
  by: 'people' | 'programs' | undefined;
  /** Lists only events before this one; undefined for the latest. */
  before: number | undefined;
  limit: number;
}

/** Returns the account's audit events, latest first. */
export async function listAuditEvents(
  db: Db,
  accountId: number,
  { by, before, limit }: ListAuditEventsInput,
): Promise<AuditEventRow[]> {
  let query = db
    .selectFrom('audit_log')
    .selectAll('audit_log')
    .select((e) => {
      // The key is looked up for each event: a join may make PostgreSQL read all keys in the database.
      const key = e
        .selectFrom('api_keys')
        .whereRef('api_keys.account_id', '=', 'audit_log.account_id')
        .whereRef('api_keys.id', '=', 'audit_log.api_key_id');
      return [key.select('name').as('keyName'), key.select('last4').as('keyLast4')];
    })
    .limit(limitInIndexOrder(limit));
  if (by === 'people') {
    // Only the index of people's events has this order. Keys are null in it, and nulls come first.
    query = query
      .where('audit_log.account_id', '=', accountId)
      .where('audit_log.api_key_id', 'is', null)
      .where('audit_log.id', '<', before ?? Number.MAX_SAFE_INTEGER)
      .orderBy('audit_log.api_key_id', 'desc')
      .orderBy('audit_log.id', 'desc');
  } else {
    const latest = latestFirst(db, 'audit_log', accountId, before);
    query = query.where(latest.where).orderBy(latest.account, 'desc').orderBy(latest.id, 'desc');
    if (by === 'programs') query = query.where('audit_log.api_key_id', 'is not', null);
  }
  const events = await query.execute();
  const pages = events.map((event) => idOf('page', event));
  const existing = await findIds(db, accountId, { table: 'pages', ids: pages });
  const missing = pages.filter((id) => !existing.has(id));
  const deleted = await findIds(db, accountId, { table: 'removed_pages', ids: missing });
  const images = events.map((event) => idOf('media', event));
  const removed = await findIds(db, accountId, { table: 'media', ids: images, and: sql`media.removed_at > 0` });
  return events.map((event) => {
    const pageId = idOf('page', event);
    const isInTrash = deleted.has(pageId) || removed.has(idOf('media', event));
    return { ...event, pageId: existing.has(pageId) ? pageId : null, isInTrash };
  });
}

/** Returns the number of the page or image; 0, which no row has, if the subject is anything else. */
function idOf(kind: 'page' | 'media', { subject }: { subject: string }): number {
  const [, word, digits] = /^([a-z]+)_(\d+)$/.exec(subject) ?? [];
  return word === kind ? Number(digits) : 0;
}

interface IdsToFind {
  table: 'pages' | 'removed_pages' | 'media';
  ids: readonly number[];
  and?: RawBuilder<unknown>;
}

/** Returns the ids that exist in the account's rows of the table. */
async function findIds(
  db: Db,
  accountId: number,
  { table, ids, and = sql`true` }: IdsToFind,
): Promise<ReadonlySet<number>> {
  const wanted = [...new Set(ids)].filter((id) => id > 0);
  if (wanted.length === 0) return new Set();
  const columnRef = (column: string) => sql.ref(`${table}.${column}`);
  const condition = sql`${columnRef('account_id')} = ${accountId} and ${columnRef('id')} = listed.id and ${and}`;
  const { rows } = await sql<{ id: number }>`
    select ${columnRef('id')} from ${idRows(db, sql.val(JSON.stringify(wanted)))} ${lookupJoin(db, table, condition)}`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}
