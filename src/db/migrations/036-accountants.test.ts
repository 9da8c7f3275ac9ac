import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount } from '../../../test/factories.ts';
import { makeUser } from '../../../test/person.ts';
import type { Role } from '../../users/roles.ts';
import { up } from './036-accountants.ts';

onEachDatabase('migration 036, accountants', (open, kind) => {
  test('existing users keep their roles, and can become accountants', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    for (const role of ['admin', 'editor', 'viewer'] as const) await makeUser(db, accountId, { role });
    const users = () => db.selectFrom('users').select(['id', 'role']).where('account_id', '=', accountId).execute();
    const before = await users();
    await db.transaction().execute(async (trx) => {
      for (const statement of asBefore(kind)) await sql.raw(statement).execute(trx);
      await up(trx as never, kind);
    });
    assert.deepEqual(await users(), before);
    const setRole = (role: string) =>
      db.transaction().execute((trx) =>
        trx
          .updateTable('users')
          .set({ role: role as Role })
          .where('account_id', '=', accountId)
          .where('id', '=', before[1]!.id)
          .execute(),
      );
    await setRole('accountant');
    await assert.rejects(setRole('gardener'), /users_role_check|CHECK constraint/);
    const roles = (await users()).map(({ role }) => role);
    assert.deepEqual(roles, ['owner', 'accountant', 'editor', 'viewer']);
  });
});

/** Returns the statements that restore the check of the column from before the migration. */
function asBefore(kind: 'sqlite' | 'postgres'): string[] {
  const rule = `check (role in ('owner', 'admin', 'editor', 'viewer'))`;
  if (kind === 'postgres') {
    return [
      'alter table users drop constraint users_role_check',
      `alter table users add constraint users_role_check ${rule}`,
    ];
  }
  return [
    'alter table users rename column role to later_role',
    `alter table users add column role text not null default 'viewer' ${rule}`,
    'update users set role = later_role',
    'alter table users drop column later_role',
  ];
}
