import type { Trx } from '../db/database.ts';

/** Gives a user another name, also where somebody of the agency has acted for the user. */
export async function setName(trx: Trx, accountId: number, userId: number, name: string): Promise<void> {
  await trx
    .updateTable('users')
    .set({ name })
    .where('account_id', '=', accountId)
    .where((e) => e.or([e('id', '=', userId), e('acts_for', '=', userId)]))
    .execute();
}
