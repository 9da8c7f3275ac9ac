import type { Trx } from '../db/database.ts';
import type { UserRow } from '../users/get-user.ts';

/** Returns the name under which somebody of an agency acts in its customers' accounts: `Ana (Acme Agency)`. */
export async function agentName(trx: Trx, agencyId: number, name: string): Promise<string> {
  const agency = await trx.selectFrom('accounts').select('name').where('id', '=', agencyId).executeTakeFirstOrThrow();
  return `${name} (${agency.name})`;
}

/**
 * Returns the row of `users` under which the agency's person acts for the customer's. It is one for each pair of them, so that all that
 * refers to users tells who it was: pages, their earlier states, drafts, deletions and images.
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
      ...{ account_id, name, acts_for: id, agent },
      // It is no person: it has no address, no password and no rights, and is in no list of people.
      ...{ email: '', email_key: `for ${id} by ${agentId}`, role: 'viewer', password_hash: null },
      ...{ created_at: now, removed_at: now },
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'email_key']).doUpdateSet({ name, agent }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}
