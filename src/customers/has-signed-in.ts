import type { Db, Trx } from '../db/database.ts';

/**
 * Returns whether a user of the customer has ever signed in. Old sessions are deleted in time; what a user has done stays in
 * the log, and passkeys stay.
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
