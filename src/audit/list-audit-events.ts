import { type Selectable, sql } from 'kysely';
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
}

export interface ListAuditEventsInput {
  /** Whose events to list: the operator counts as a person; undefined for all. */
  by: 'people' | 'programs' | undefined;
  /** Lists only events before this one; undefined for the latest. */
  before: number | undefined;
  limit: number;
}

/** Returns the account's audit events, the latest first. */
export async function listAuditEvents(
  db: Db,
  accountId: number,
  { by, before, limit }: ListAuditEventsInput,
): Promise<AuditEventRow[]> {
  let query = db
    .selectFrom('audit_log')
    .leftJoin('api_keys', (join) =>
      join.onRef('api_keys.account_id', '=', 'audit_log.account_id').onRef('api_keys.id', '=', 'audit_log.api_key_id'),
    )
    .selectAll('audit_log')
    .select(['api_keys.name as keyName', 'api_keys.last4 as keyLast4'])
    .limit(limitInIndexOrder(limit));
  if (by === 'people') {
    // Only the index of people's events has this order: null keys come first in it.
    query = query
      .where('audit_log.account_id', '=', accountId)
      .where('audit_log.api_key_id', 'is', null)
      .where('audit_log.id', '<', before ?? Number.MAX_SAFE_INTEGER)
      .orderBy('audit_log.api_key_id', 'desc')
      .orderBy('audit_log.id', 'desc');
  } else {
    const latest = latestFirst('audit_log', accountId, before);
    query = query.where(latest.where).orderBy(latest.account, 'desc').orderBy(latest.id, 'desc');
    if (by === 'programs') query = query.where('audit_log.api_key_id', 'is not', null);
  }
  const events = await query.execute();
  const there = await existingPages(db, accountId, events.map(pageOf));
  return events.map((event) => {
    const pageId = pageOf(event);
    return { ...event, pageId: there.has(pageId) ? pageId : null };
  });
}

/** The number of the page; 0, which no page has, for anything else. */
function pageOf({ subject }: { subject: string }): number {
  return Number(/^page_(\d+)$/.exec(subject)?.[1] ?? 0);
}

async function existingPages(db: Db, accountId: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select pages.id from ${idRows(db, sql.val(JSON.stringify([...new Set(ids)])))}
    ${lookupJoin(db, 'pages', sql`pages.account_id = ${accountId} and pages.id = listed.id`)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
