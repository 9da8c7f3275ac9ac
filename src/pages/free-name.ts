import type { Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';

/**
 * The first of `Name 2`, `Name 3`, … that no page of the account has, nor one that was deleted and may come back; the
 * caller holds the account's tree. Doubles the number until it is free, then halves the gap (see `freeUrlname`).
 */
export async function freeName(trx: Trx, accountId: number, name: string): Promise<string> {
  // It was short enough without the number.
  const base = [...name].slice(0, 240).join('').trimEnd();
  const isTaken = async (number: number) =>
    (await selectTaken(trx, { accountId, name: `${base} ${number}` })).length > 0;
  let taken = 1;
  let free = 2;
  while (await isTaken(free)) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return `${base} ${free}`;
}

const selectTaken = prepared<{ accountId: number; name: string }, { id: number }>((db, parameter) =>
  db
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', parameter('accountId'))
    .where('name', '=', parameter('name'))
    .unionAll(
      db
        .selectFrom('removed_pages')
        .select('id')
        .where('account_id', '=', parameter('accountId'))
        .where('name', '=', parameter('name')),
    ),
);
