import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { Findings } from './findings.ts';
import { readInBatches } from './read-in-batches.ts';

/** Checks that every account has an owner, and that no removed user still has access. */
export async function checkPeople(trx: Trx, findings: Findings): Promise<void> {
  const withoutOwner = readInBatches<{ id: number }>(async (after, limit) => {
    const { rows } = await sql<{ id: number }>`
      select id from accounts where id > ${after?.id ?? 0} and deleted_at is null and not exists (
        select 1 from users where users.account_id = accounts.id and role = 'owner' and removed_at is null)
      order by id limit ${sql.lit(limit)}`.execute(trx);
    return rows;
  });
  for await (const { id } of withoutOwner) findings.add('people', `account_${id} has no owner.`);

  const { rows } = await sql<{ id: number }>`
    select users.id from users where removed_at is not null and (password_hash is not null or exists (
      select 1 from sessions where sessions.account_id = users.account_id and sessions.user_id = users.id
        and sessions.ended_at is null) or exists (
      select 1 from passkeys where passkeys.account_id = users.account_id and passkeys.user_id = users.id))
    order by users.id limit 1000`.execute(trx);
  for (const { id } of rows) findings.add('people', `user_${id} was removed, but can still sign in or is signed in.`);
}
