import { validateAccountValues } from '../accounts/create-account.ts';
import { createCustomers } from '../accounts/create-customers.ts';
import type { CustomerSettings } from '../accounts/mail-login-instructions.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import type { SiteToCopy } from '../templates/read-site.ts';
import { checkLine } from './check-line.ts';
import { type ImportDependencies, importWithTemplate, templateReader } from './import-with-template.ts';
import type { ImportRow } from './imports.ts';
import { readOffers, startsFromTemplate } from './offers.ts';
import { type LineResult, type PartLine, partColumns, readLines } from './part.ts';
import { ClaimLost, recordPart, starterOf } from './record-part.ts';

/** How often a part is tried if other accounts take its subdomains meanwhile. */
const MAX_ATTEMPTS = 5;

/**
 * Creates the customers of the next part of an import that the worker has claimed, and skips wrong lines. The progress is
 * recorded in the same transaction, so each line creates at most one customer, even with retries and several workers.
 * Returns the updated import; undefined if it was stopped or another worker has it.
 */
export async function importPart(
  dependencies: ImportDependencies,
  claimed: ImportRow,
  readTemplate: (id: number) => Promise<SiteToCopy> = templateReader(dependencies, claimed.account_id),
): Promise<ImportRow | undefined> {
  const { db, config } = dependencies;
  const { account_id: accountId, id, next_part: part } = claimed;
  const { lines: json } = await db
    .selectFrom('customer_import_parts')
    .select('lines')
    .where('account_id', '=', accountId)
    .where('import_id', '=', id)
    .where('part', '=', part)
    .executeTakeFirstOrThrow();
  const lines = readLines(json);
  const [first] = lines;
  for (let attempt = 1; ; attempt++) {
    try {
      // The line is alone in its part: see `toParts`.
      if (first && startsFromTemplate(first, partColumns))
        return await importWithTemplate({ ...dependencies, readTemplate }, claimed, first);
      return await db.transaction().execute((trx) => importLines(trx, claimed, lines, config));
    } catch (error) {
      if (error instanceof ClaimLost) return undefined;
      // Another account took a subdomain first. The next attempt skips its line.
      if (!(error instanceof ValidationError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function importLines(
  trx: Trx,
  claimed: ImportRow,
  lines: readonly PartLine[],
  settings: CustomerSettings,
): Promise<ImportRow> {
  const accountId = claimed.account_id;
  const offers = await readOffers(trx, accountId, { lines, columns: partColumns });
  const checked = lines.map((line) => {
    const { customer, failures } = checkLine(line, partColumns, offers);
    return { customer, failures: [...validateAccountValues(customer, undefined), ...failures] };
  });
  const customers = checked
    .filter(({ failures }) => failures.length === 0)
    .map(({ customer }) => ({ ...customer, passwordHash: null, withDefaultPages: true }));
  const outcomes = (await createCustomers(trx, accountId, customers, settings, starterOf(claimed))).values();
  const results = checked.map(({ failures }): LineResult => {
    if (failures.length > 0) return failures;
    const outcome = outcomes.next().value!;
    return 'id' in outcome ? outcome.id : outcome.failures;
  });
  return recordPart(trx, claimed, lines, results);
}
