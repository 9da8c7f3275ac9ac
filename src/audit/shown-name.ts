import { type RawBuilder, sql } from 'kysely';

/**
 * Returns the name of a user as histories show it: "Ana (Acme Agency) as Bob" if somebody of the agency acted for the user.
 * The API shows the plain name. `users` is the name of the table in the query.
 */
export function shownName(users: string): RawBuilder<string> {
  const [agent, name] = [sql.ref(`${users}.agent`), sql.ref(`${users}.name`)];
  return sql<string>`coalesce(${agent} || ' as ', '') || ${name}`;
}

/** Returns the name that the audit log shows for an assistant of the user. */
export function assistantName(name: string): string {
  return `Assistant for ${name}`;
}
