import type { Db, Trx } from '../db/database.ts';

/**
 * Returns true if a user of the customer has ever signed in. Old sessions are pruned, but audit events and passkeys of the
 * user stay.
 */
export async function hasSignedIn(db: Db | Trx, customerId: number, userId: number): Promise<boolean> {
  const { found } = await db
    .selectNoFrom((e) =>
      e
        .or(
          (['sessions', 'audit_log', 'passkeys', 'second_factors'] as const).map((table) =>
            e.exists(
              e
                .selectFrom(table)
                .select(`${table}.account_id`)
                .where(`${table}.account_id`, '=', customerId)
                .where(`${table}.user_id`, '=', userId),
            ),
          ),
        )
        .as('found'),
    )
    .executeTakeFirstOrThrow();
  return Boolean(found);
}
