import { type Expression, type SqlBool, sql } from 'kysely';

/** How many levels are searched. Any customer can have customers, so the depth has no limit of its own. */
const MAX_LEVELS = 20;

/** SQL for whether an account is a customer of another account, directly or through other customers. */
export function isBelow(accountId: string, ancestorId: number | Expression<number>) {
  return sql<SqlBool>`${ancestorId} in (
    with recursive above (id, level) as (
      select customers.parent_id, 1 from accounts as customers where customers.id = ${sql.ref(accountId)}
      union all
      select sellers.parent_id, above.level + 1 from above
      join accounts as sellers on sellers.id = above.id
      where sellers.parent_id is not null and above.level < ${sql.lit(MAX_LEVELS)}
    )
    select id from above where id is not null
  )`;
}
