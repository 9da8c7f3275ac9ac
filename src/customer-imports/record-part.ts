import type { Actor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { LEASE_MS } from './claim-import.ts';
import type { ImportRow } from './imports.ts';
import { type LineResult, type PartLine, writeLines } from './part.ts';

/** The import was stopped, the account is suspended, or another worker has claimed the import. */
export class ClaimLost extends Error {}

/** Returns the actor who started the import. */
export function starterOf({ user_id: userId, actor: name, ip }: ImportRow): Actor {
  return { userId, name, ip };
}

/**
 * Records the results of the import's next part, in the transaction that creates the customers. Returns the updated import.
 * @throws ClaimLost; the transaction must then be rolled back
 */
export async function recordPart(
  trx: Trx,
  { account_id: accountId, id, next_part: part, ...claimed }: ImportRow,
  lines: readonly PartLine[],
  results: readonly LineResult[],
): Promise<ImportRow> {
  const skipped = results.filter((result) => typeof result === 'object').length;
  await trx
    .updateTable('customer_import_parts')
    .set({
      // Deletes the cells of created customers, so that their names and addresses are stored only with the customers.
      lines: writeLines(
        lines.map((line, index) => (typeof results[index] === 'number' ? { ...line, cells: [] } : line)),
      ),
      results: JSON.stringify(results),
      skipped_count: skipped,
    })
    .where('account_id', '=', accountId)
    .where('import_id', '=', id)
    .where('part', '=', part)
    .execute();
  const isLast = claimed.created_count + claimed.skipped_count + lines.length >= claimed.line_count;
  const now = Date.now();
  const progress = await trx
    .updateTable('customer_imports')
    .set((e) => ({
      next_part: part + 1,
      created_count: e('created_count', '+', results.length - skipped),
      skipped_count: e('skipped_count', '+', skipped),
      claimed_until: now + LEASE_MS,
      ...(isLast && { state: 'done' as const, ended_at: now }),
    }))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('claimed_by', '=', claimed.claimed_by)
    .where('next_part', '=', part)
    .where((e) =>
      e.exists(e.selectFrom('accounts').select('id').where('id', '=', accountId).where('status', '=', 'active')),
    )
    .returningAll()
    .executeTakeFirst();
  if (!progress) throw new ClaimLost();
  return progress;
}
