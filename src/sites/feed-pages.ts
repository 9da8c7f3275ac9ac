import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { BodyFormat, Timestamp } from '../db/schema.ts';
import { MAX_READ_TOGETHER_BYTES, shownDescription } from './description.ts';

/** The longest body that a feed includes. Of longer bodies, only the beginning is read, for a summary. */
const MAX_BODY_BYTES = 1024 * 1024;
const BEGINNING_CHARACTERS = 10_000;

/** A page with the fields that feeds need. */
export interface FeedPage {
  id: number;
  name: string;
  description: string | null;
  /** The whole body, or the beginning of one that is too long for a feed. */
  body: string;
  isWhole: boolean;
  bodyFormat: BodyFormat | '';
  customDate: Timestamp;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

const isShort = sql<boolean>`coalesce(octet_length(description), 0) + octet_length(body) <= ${sql.lit(MAX_READ_TOGETHER_BYTES)}`;

/**
 * Reads these pages of the account, and of their bodies no more than a feed can show. Pages with long texts are read one at a
 * time, and other work gets its turn in between.
 */
export async function readFeedPages(trx: Trx, accountId: number, ids: readonly number[]): Promise<FeedPage[]> {
  if (ids.length === 0) return [];
  const found = await select(trx, accountId, ids).where(isShort).execute();
  const readIds = new Set(found.map(({ id }) => id));
  for (const id of ids) {
    if (readIds.has(id)) continue;
    await setImmediate();
    found.push(...(await select(trx, accountId, [id]).execute()));
  }
  return found.map((row) => ({ ...row, isWhole: row.isWhole === 1 }));
}

function select(trx: Trx, accountId: number, ids: readonly number[]) {
  const isWhole = sql<boolean>`octet_length(body) <= ${sql.lit(MAX_BODY_BYTES)}`;
  return trx
    .selectFrom('pages')
    .select([
      'id',
      'name',
      shownDescription.as('description'),
      sql<string>`case when ${isWhole} then body else substr(body, 1, ${sql.lit(BEGINNING_CHARACTERS)}) end`.as('body'),
      sql<0 | 1>`case when ${isWhole} then 1 else 0 end`.as('isWhole'),
      'body_format as bodyFormat',
      'custom_date as customDate',
      'created_at as createdAt',
      'updated_at as updatedAt',
    ])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids);
}
