import { validateAccountValues } from '../accounts/create-account.ts';
import { createCustomers } from '../accounts/create-customers.ts';
import type { CustomerSettings } from '../accounts/mail-login-instructions.ts';
import type { Db, Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { listPlans } from '../plans/plans.ts';
import { checkLine } from './check-line.ts';
import { LEASE_MS } from './claim-import.ts';
import { planFinder } from './customer-of-line.ts';
import type { ImportRow } from './imports.ts';
import { type LineResult, type PartLine, partColumns, readLines, writeLines } from './part.ts';

/** How often a part is tried when others take its subdomains meanwhile. */
const MAX_ATTEMPTS = 5;

/**
 * Creates the customers of the next part of an import that the worker has claimed, and skips lines that are wrong, in one
 * transaction with the import's progress: however often a part is tried, and by how many workers, each line becomes one customer at
 * most. Returns the import as it is then; undefined if somebody has stopped it or another worker has it.
 */
export async function importPart(
  db: Db,
  claimed: ImportRow,
  settings: CustomerSettings,
): Promise<ImportRow | undefined> {
  const { account_id: accountId, id, next_part: part } = claimed;
  const { lines: json } = await db
    .selectFrom('customer_import_parts')
    .select('lines')
    .where('account_id', '=', accountId)
    .where('import_id', '=', id)
    .where('part', '=', part)
    .executeTakeFirstOrThrow();
  const lines = readLines(json);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute((trx) => importLines(trx, claimed, lines, settings));
    } catch (error) {
      if (error instanceof ClaimLost) return undefined;
      // Somebody was faster with a subdomain. Now its line is skipped.
      if (!(error instanceof ValidationError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

class ClaimLost extends Error {}

async function importLines(
  trx: Trx,
  { account_id: accountId, id, next_part: part, ...claimed }: ImportRow,
  lines: readonly PartLine[],
  settings: CustomerSettings,
): Promise<ImportRow> {
  const findPlan = planFinder(await listPlans(trx, accountId));
  const checked = lines.map((line) => {
    const { customer, failures } = checkLine(line, partColumns, findPlan);
    return { customer, failures: [...validateAccountValues(customer, undefined), ...failures] };
  });
  const customers = checked
    .filter(({ failures }) => failures.length === 0)
    .map(({ customer }) => ({ ...customer, passwordHash: null, withDefaultPages: true }));
  const by = { userId: claimed.user_id, name: claimed.actor, ip: claimed.ip };
  const outcomes = (await createCustomers(trx, accountId, customers, settings, by)).values();
  const results = checked.map(({ failures }): LineResult => {
    if (failures.length > 0) return failures;
    const outcome = outcomes.next().value!;
    return 'id' in outcome ? outcome.id : outcome.failures;
  });
  const skipped = results.filter((result) => typeof result === 'object').length;
  await trx
    .updateTable('customer_import_parts')
    .set({
      // The names and addresses of customers are kept with the customers alone.
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
    .returningAll()
    .executeTakeFirst();
  if (!progress) throw new ClaimLost();
  return progress;
}
