import { setImmediate } from 'node:timers/promises';
import { validateAccountValues } from '../accounts/create-account.ts';
import { findTakenSubdomains, ownSubdomain } from '../accounts/subdomain.ts';
import type { Addresses } from '../addresses.ts';
import type { Db } from '../db/database.ts';
import type { BrokenRule, FieldError } from '../field-error.ts';
import { checkLine } from './check-line.ts';
import type { ImportColumns } from './columns.ts';
import { readOffers } from './offers.ts';
import type { CsvLine } from './read-csv.ts';

export interface WrongLine {
  number: number;
  failures: readonly FieldError[];
}

/** How many lines are checked with one query, before other work runs. */
const BATCH_SIZE = 100;

/**
 * Checks all lines as customers of the account, and writes nothing. Returns the lines that cannot be created, with every
 * rule that they break. If several lines have the same subdomain, the first is valid.
 */
export async function checkLines(
  db: Db,
  accountId: number,
  { lines, columns }: { lines: readonly CsvLine[]; columns: ImportColumns },
  addresses: Addresses,
): Promise<WrongLine[]> {
  const offers = await readOffers(db, accountId, { lines, columns });
  const own = ownSubdomain(addresses);
  const lineOfSubdomain = new Map<string, number>();
  const wrong: WrongLine[] = [];
  for (let at = 0; at < lines.length; at += BATCH_SIZE) {
    const batch = lines.slice(at, at + BATCH_SIZE).map((line) => checkLine(line, columns, offers));
    const subdomains = batch.map(({ customer }) => customer.subdomain);
    const taken = await findTakenSubdomains(
      db,
      subdomains.filter((subdomain) => !subdomain.includes('\0')),
    );
    for (const { number, customer, failures } of batch) {
      const conflict = conflictOf(customer.subdomain, { own, taken, earlier: lineOfSubdomain.get(customer.subdomain) });
      const broken = [...validateAccountValues(customer, conflict), ...failures];
      if (broken.length > 0) wrong.push({ number, failures: broken });
      if (!lineOfSubdomain.has(customer.subdomain)) lineOfSubdomain.set(customer.subdomain, number);
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
