import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Adds the time at which a user last chose a password by a link mailed to their address. Anybody can create an account with
 * somebody else's address, so this distinguishes the owner's users from a stranger's. For existing users, the time is taken
 * from the audit log. A password chosen before the address changed proves nothing for the new address.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const statement of [
    `alter table users add column address_proved_at ${dialect === 'sqlite' ? 'integer' : 'bigint'}`,
    `update users set address_proved_at = proofs.chosen_at
     from (
       select account_id, user_id,
         max(case when action = 'email.changed' then 0 else at end) as chosen_at,
         max(case when action = 'email.changed' then at else 0 end) as changed_at
       from audit_log
       where action in ('password.reset', 'invitation.accepted', 'email.changed') and user_id is not null
       group by account_id, user_id
     ) as proofs
     where users.account_id = proofs.account_id and users.id = proofs.user_id and proofs.chosen_at > proofs.changed_at`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
