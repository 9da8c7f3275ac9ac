import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { getImport, type ImportRow } from './imports.ts';
import { refuseSecond } from './start-import.ts';

/**
 * Stops an import: no customers are created from the remaining lines. An import that has ended is not changed.
 * @throws AppError `not_found`
 */
export function stopImport(trx: Trx, accountId: number, importId: number, by: Actor): Promise<ImportRow> {
  return changeState(trx, accountId, { importId, from: 'running', to: 'stopped', event: 'import.stopped' }, by);
}

/** Stops the imports that a user has started or resumed but may no longer run. Another user can resume them. */
export async function stopImportsOf(trx: Trx, accountId: number, userId: number, by: Actor): Promise<void> {
  const running = await trx
    .selectFrom('customer_imports')
    .select('id')
    .where('account_id', '=', accountId)
    .where((e) => e(e.fn.coalesce('resumed_by', 'user_id'), '=', userId))
    .where('state', '=', 'running')
    .execute();
  for (const { id } of running) await stopImport(trx, accountId, id, by);
}

/**
 * Resumes a stopped import.
 * @throws AppError `not_found`; Refusal if another import is running
 */
export function resumeImport(trx: Trx, accountId: number, importId: number, by: Actor): Promise<ImportRow> {
  return changeState(trx, accountId, { importId, from: 'stopped', to: 'running', event: 'import.resumed' }, by);
}

interface StateChange {
  importId: number;
  from: ImportRow['state'];
  to: ImportRow['state'];
  event: string;
}

async function changeState(
  trx: Trx,
  accountId: number,
  { importId, from, to, event }: StateChange,
  by: Actor,
): Promise<ImportRow> {
  await lockAccount(trx, accountId);
  const found = await getImport(trx, accountId, importId);
  if (found.state !== from) return found;
  const changed = await trx
    .updateTable('customer_imports')
    .set({
      ...(to === 'running' ? { ended_at: null, resumed_by: by.userId } : { ended_at: Date.now() }),
      state: to,
      claimed_by: null,
      claimed_until: 0,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', importId)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseSecond);
  const details = { name: found.file_name };
  await recordAuditEvent(trx, accountId, by, { action: event, subject: `import_${importId}`, details });
  return changed;
}
