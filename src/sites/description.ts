import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { firstSentences } from './first-sentences.ts';

/** How much of a description sites show: it may be as long as a request. */
const MAX_CHARACTERS = 1000;

/** SQL for the part of `pages.description` that is needed to show it. */
export const shownDescription = sql<string | null>`substr(pages.description, 1, ${sql.lit(MAX_CHARACTERS + 1)})`;

/**
 * SQLite reads all of a text to return its beginning: 15 MB take some 10 ms. Rows with longer texts are read one at a time.
 */
export const MAX_READ_TOGETHER_BYTES = 64 * 1024;

const isLong = sql`octet_length(pages.description) > ${sql.lit(MAX_READ_TOGETHER_BYTES)}`;

/** The columns that lists of `pages` select for descriptions. Long ones are null until `completeDescriptions` reads them. */
export const listedDescription = {
  description: sql<string | null>`case when ${isLong} then null else ${shownDescription} end`,
  hasLong: sql<0 | 1>`case when ${isLong} then 1 else 0 end`,
};

/** A row of a list with the columns of `listedDescription`. */
interface ListedRow {
  id: number;
  description: string | null;
  hasLong: 0 | 1;
}

/** Reads the long descriptions of listed pages. Other work gets its turn in between. */
export async function completeDescriptions<R extends ListedRow>(
  trx: Trx,
  accountId: number,
  rows: readonly R[],
): Promise<Array<Omit<R, 'hasLong'>>> {
  const complete: Array<Omit<R, 'hasLong'>> = [];
  for (const { hasLong, ...row } of rows) {
    if (hasLong === 1) {
      await setImmediate();
      row.description = (await selectDescription(trx, { accountId, id: row.id }))[0]!.description;
    }
    complete.push(row);
  }
  return complete;
}

const selectDescription = prepared<{ accountId: number; id: number }, Pick<ListedRow, 'description'>>((db, parameter) =>
  db
    .selectFrom('pages')
    .select(shownDescription.as('description'))
    .where('account_id', '=', parameter('accountId'))
    .where('id', '=', parameter('id')),
);

/** Returns a description, or its beginning if it is longer than sites show. */
export function cutDescription(description: string | null): string {
  if (description === null) return '';
  return description.length > MAX_CHARACTERS ? firstSentences(description, MAX_CHARACTERS) : description;
}
