import type { ExpressionBuilder } from 'kysely';
import type { Schema } from '../db/schema.ts';

/** SQL for an account's first own verified domain that serves its site; null if it has none. */
export function primaryHost(e: ExpressionBuilder<Schema, 'accounts'>) {
  return e
    .selectFrom('domains as first')
    .select('first.host')
    .whereRef('first.account_id', '=', 'accounts.id')
    .where('first.verified_at', 'is not', null)
    .where('first.is_app', '=', 0)
    .orderBy('first.id')
    .limit(1)
    .as('primaryHost');
}
