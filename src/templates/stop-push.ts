import type { Actor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { isOpen, lockPush, type Push, recordPushEvent, selectPushes, setStates } from './pushes.ts';

/** Stops a push: sites that are not done yet stay unchanged. @throws AppError `not_found` */
export async function stopPush(trx: Trx, accountId: number, id: number, by: Actor): Promise<void> {
  const push = await lockPush(trx, accountId, id);
  if (push.finished_at === null) await stop(trx, push, by);
}

/**
 * Stops the pushes and undos of a user who has lost the permission for them. Other users can undo such a push, finish such an
 * undo, or push the template again.
 */
export async function stopPushesOf(trx: Trx, accountId: number, userId: number, by: Actor): Promise<void> {
  const open = await selectPushes(trx, accountId).select('id').where('user_id', '=', userId).where(isOpen).execute();
  for (const { id } of open) {
    const push = await lockPush(trx, accountId, id);
    await (push.finished_at === null ? stop(trx, push, by) : stopUndo(trx, push, by));
  }
}

async function stop(trx: Trx, push: Push, by: Actor): Promise<void> {
  await setStates(trx, push.id, 'waiting', 'stopped');
  const now = Date.now();
  await setTimes(trx, push, { stopped_at: now, finished_at: now });
  await recordPushEvent(trx, push.account_id, push, 'template.push_stopped', by);
}

/** Stops an undo, and leaves the push in the state of one whose undo has failed on some sites. */
async function stopUndo(trx: Trx, push: Push, by: Actor): Promise<void> {
  await setStates(trx, push.id, 'undo', 'done');
  await setTimes(trx, push, { undone_at: Date.now() });
  await recordPushEvent(trx, push.account_id, push, 'template.push_undo_stopped', by);
}

async function setTimes(
  trx: Trx,
  { account_id: accountId, id }: Push,
  times: Partial<Pick<Push, 'stopped_at' | 'finished_at' | 'undone_at'>>,
): Promise<void> {
  await trx
    .updateTable('template_pushes')
    .set(times)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}
