import { sql } from 'kysely';

/**
 * How many levels a brand is inherited. Any account can have customers, so without a limit the query could follow any number
 * of sellers.
 */
const MAX_LEVELS = 20;

/**
 * Returns an expression for the id of the account whose brand the users of an account see. It is the nearest account above
 * that has a brand; null if there is none. An account's own brand is for its customers.
 */
export function brandOwner(accountId: `${string}.id`) {
  return sql<number | null>`(
    with recursive above (id, level) as (
      select customers.parent_id, 1 from accounts as customers where customers.id = ${sql.ref(accountId)}
      union all
      select sellers.parent_id, above.level + 1 from above
      join accounts as sellers on sellers.id = above.id
      where sellers.parent_id is not null and above.level < ${sql.lit(MAX_LEVELS)}
        and not exists (select 1 from brands where brands.account_id = above.id)
    )
    select nearest.account_id from above join brands as nearest on nearest.account_id = above.id
  )`;
}
