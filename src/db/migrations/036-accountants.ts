import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

const rule = `check (role in ('owner', 'admin', 'editor', 'viewer', 'accountant'))`;

/** Lets users be accountants. SQLite cannot change the check of a column, so a new column replaces the old one. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const statements =
    dialect === 'postgres'
      ? [
          'alter table users drop constraint users_role_check',
          `alter table users add constraint users_role_check ${rule}`,
        ]
      : [
          // SQLite cannot add a column without a default. Every insert names the role.
          `alter table users add column new_role text not null default 'viewer' ${rule.replace('role', 'new_role')}`,
          'update users set new_role = role',
          'alter table users drop column role',
          'alter table users rename column new_role to role',
        ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
