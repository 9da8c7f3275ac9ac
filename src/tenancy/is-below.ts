import { type Expression, type SqlBool, sql } from 'kysely';

/**
 * Returns SQL for whether an account is a customer of another account, directly or through other customers. Follows the
 * whole path, whose length is limited when a customer is created (`checkNesting`).
 */
export function isBelow(accountColumn: string, ancestorId: number | Expression<number>) {
  return sql<SqlBool>`${ancestorId} in (
    with recursive above (id) as (
      select customers.parent_id from accounts as customers where customers.id = ${sql.ref(accountColumn)}
      union all
      select sellers.parent_id from above join accounts as sellers on sellers.id = above.id
    )
    select id from above where id is not null
  )`;
}
