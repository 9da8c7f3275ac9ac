import type { Trx } from '../db/database.ts';
import { inJsonList } from '../db/json-list.ts';
import { prepared } from '../db/prepared.ts';
import { freeNumber } from './free-number.ts';

/** Leaves room for the number within the 255 characters of a name. */
const MAX_BASE_CHARACTERS = 240;

/**
 * Returns `Name 2`, `Name 3`, … with a number (see `freeNumber`) that no page of the account has, nor a deleted page that
 * may be restored. The caller holds the account's lock.
 */
export async function numberedName(trx: Trx, accountId: number, name: string): Promise<string> {
  const base = [...name].slice(0, MAX_BASE_CHARACTERS).join('').trimEnd();
  const number = await freeNumber(async (numbers) => {
    const names = JSON.stringify(numbers.map((candidate) => `${base} ${candidate}`));
    const rows = await selectNames(trx, { accountId, names });
    return new Set(rows.map((row) => Number(row.name.slice(base.length + 1))));
  });
  return `${base} ${number}`;
}

const selectNames = prepared<{ accountId: number; names: string }, { name: string }>((db, parameter) => {
  const named = (table: 'pages' | 'removed_pages') =>
    db
      .selectFrom(table)
      .select('name')
      .where('account_id', '=', parameter('accountId'))
      .where(inJsonList(db, 'name', parameter('names')));
  return named('pages').unionAll(named('removed_pages'));
});
