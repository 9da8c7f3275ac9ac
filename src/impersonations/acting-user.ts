import type { Trx } from '../db/database.ts';
import type { UserRow } from '../users/get-user.ts';

/** Returns the name under which a user of an agency acts in its customers' accounts: `Ana (Acme Agency)`. */
export async function agentName(trx: Trx, agencyId: number, name: string): Promise<string> {
  const agency = await trx.selectFrom('accounts').select('name').where('id', '=', agencyId).executeTakeFirstOrThrow();
  return `${name} (${agency.name})`;
}

/**
 * Returns the id of the row of `users` under which the agency's user acts for the customer's user. Each pair has one row, so
 * that all references to users show who acted: in pages, revisions, drafts, deletions and images.
 */
export async function upsertActingUser(
  trx: Trx,
  { account_id, id, name }: UserRow,
  { agentId, agent }: { agentId: number; agent: string },
): Promise<number> {
  const now = Date.now();
  const row = await trx
    .insertInto('users')
    .values({
      account_id,
      name,
      acts_for: id,
      agent,
      // The row is no real user: it has no address, password or permissions, and no list of users shows it.
      email: '',
      email_key: `for ${id} by ${agentId}`,
      role: 'viewer',
      password_hash: null,
      created_at: now,
      removed_at: now,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'email_key']).doUpdateSet({ name, agent }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}
