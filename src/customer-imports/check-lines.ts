import { setImmediate } from 'node:timers/promises';
import { normalAccountValues, validateAccountValues } from '../accounts/create-account.ts';
import { findTakenSubdomains, ownSubdomain } from '../accounts/subdomain.ts';
import type { Addresses } from '../addresses.ts';
import type { Db } from '../db/database.ts';
import type { BrokenRule, FieldError } from '../field-error.ts';
import { listPlans } from '../plans/plans.ts';
import { parseLanguage } from '../sites/change-site.ts';
import type { ImportColumns } from './columns.ts';
import { customerOfLine } from './customer-of-line.ts';
import type { CsvLine } from './read-csv.ts';

export interface WrongLine {
  number: number;
  failures: FieldError[];
}

/** How many lines one query asks for. */
const BATCH_SIZE = 500;

/**
 * Checks all lines as customers of the account, and writes nothing. Returns the lines that cannot be created, with every rule that
 * they break. Of lines with one subdomain, the first is right.
 */
export async function checkLines(
  db: Db,
  accountId: number,
  { lines, columns }: { lines: readonly CsvLine[]; columns: ImportColumns },
  addresses: Addresses,
): Promise<WrongLine[]> {
  const plans = await listPlans(db, accountId);
  const own = ownSubdomain(addresses);
  const lineOfSubdomain = new Map<string, number>();
  const wrong: WrongLine[] = [];
  for (let at = 0; at < lines.length; at += BATCH_SIZE) {
    const batch = lines.slice(at, at + BATCH_SIZE).map(({ number, cells }) => {
      const { customer, failures } = customerOfLine(cells, columns, plans);
      return { number, language: customer.language, failures, values: normalAccountValues(customer) };
    });
    const taken = await findTakenSubdomains(
      db,
      batch.map(({ values }) => values.subdomain).filter((subdomain) => !subdomain.includes('\0')),
    );
    for (const { number, language, failures, values } of batch) {
      const conflict = conflictOf(values.subdomain, { own, taken, earlier: lineOfSubdomain.get(values.subdomain) });
      const broken = [...validateAccountValues(values, conflict), ...failures];
      if (language !== undefined && !parseLanguage(language))
        broken.push({ field: 'language', code: 'not_a_language' });
      if (broken.length > 0) wrong.push({ number, failures: broken });
      if (!lineOfSubdomain.has(values.subdomain)) lineOfSubdomain.set(values.subdomain, number);
    }
    await setImmediate();
  }
  return wrong;
}

function conflictOf(
  subdomain: string,
  { own, taken, earlier }: { own: string | undefined; taken: ReadonlySet<string>; earlier: number | undefined },
): BrokenRule | undefined {
  if (subdomain === own) return { code: 'reserved' };
  if (taken.has(subdomain)) return { code: 'taken' };
  return earlier === undefined ? undefined : { code: 'in_earlier_line', params: { line: earlier } };
}
