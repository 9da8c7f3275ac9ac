import type { Db, Trx } from '../db/database.ts';

/**
 * Returns true if a user of the customer has ever signed in, or a program has made changes in their name. Sessions and audit
 * events are deleted after some time, but the account keeps the time of its first sign-in. Accounts from archives lack this
 * time, but keep second factors.
 */
export async function hasSignedIn(db: Db | Trx, customerId: number, userId: number): Promise<boolean> {
  const { found } = await db
    .selectNoFrom((e) =>
      e
        .or([
          e.exists(
            e
              .selectFrom('accounts')
              .select('accounts.id')
              .where('accounts.id', '=', customerId)
              .where('accounts.signed_in_at', 'is not', null),
          ),
          ...(['audit_log', 'second_factors'] as const).map((table) =>
            e.exists(
              e
                .selectFrom(table)
                .select(`${table}.account_id`)
                .where(`${table}.account_id`, '=', customerId)
                .where(`${table}.user_id`, '=', userId),
            ),
          ),
        ])
        .as('found'),
    )
    .executeTakeFirstOrThrow();
  return Boolean(found);
}
