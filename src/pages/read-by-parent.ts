import { setImmediate } from 'node:timers/promises';
import type { SelectQueryBuilder } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { parentKey } from './positions.ts';

interface Place {
  /** 0 for the root. */
  parent: number;
  position: number;
}

/** How many pages are read at once before other work gets its turn. */
const BATCH_SIZE = 1000;

/**
 * Returns a reader of all pages of an account that `select` allows, by parent and position, in batches. Two statements
 * alternate: one reads the remaining children of a parent, the other the children of later parents. SQLite cannot start in the
 * middle of an index on an expression by comparing rows: with one statement, each batch would begin at the account's first page.
 */
export function readByParent<R extends Place>(select: (db: Db) => SelectQueryBuilder<Schema, 'pages', R>) {
  const selectSiblings = prepared<Place & { accountId: number; limit: number }, R>((db, parameter) =>
    select(db)
      .where('account_id', '=', parameter('accountId'))
      .where(parentKey, '=', parameter('parent'))
      .where('position', '>', parameter('position'))
      .orderBy('position')
      .limit(limitInIndexOrder(parameter('limit'))),
  );
  const selectLater = prepared<Pick<Place, 'parent'> & { accountId: number; limit: number }, R>((db, parameter) =>
    select(db)
      .where('account_id', '=', parameter('accountId'))
      .where(parentKey, '>', parameter('parent'))
      .orderBy(parentKey)
      .orderBy('position')
      .limit(limitInIndexOrder(parameter('limit'))),
  );

  return async function* (trx: Trx, accountId: number): AsyncGenerator<R[]> {
    let { parent, position }: Place = { parent: -1, position: 0 };
    for (;;) {
      const part = await selectSiblings(trx, { accountId, parent, position, limit: BATCH_SIZE });
      if (part.length < BATCH_SIZE) {
        part.push(...(await selectLater(trx, { accountId, parent, limit: BATCH_SIZE - part.length })));
      }
      yield part;
      if (part.length < BATCH_SIZE) return;
      ({ parent, position } = part.at(-1)!);
      await setImmediate();
    }
  };
}
