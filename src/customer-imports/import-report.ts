import { CSV_BEGINNING, csvLine } from '../csv.ts';
import type { Db } from '../db/database.ts';
import type { FieldError } from '../field-error.ts';
import { importFields } from './columns.ts';
import { type LineResult, type PartLine, readLines } from './part.ts';

interface ReportInput {
  importId: number;
  /** True to yield only the skipped lines, as a file that can be corrected and imported again. */
  onlySkipped: boolean;
  /** Returns the words for a failure. */
  explain: (failure: FieldError) => string;
}

/** How many parts one query reads. */
const BATCH_SIZE = 20;

/** Yields the result of each line of an import as CSV, in the order of the file. */
export async function* importReport(
  db: Db,
  accountId: number,
  { importId, onlySkipped, explain }: ReportInput,
): AsyncGenerator<string> {
  yield CSV_BEGINNING + csvLine(['Line', 'Result', ...importFields, 'Customer', 'Problem']);
  for (let after = -1; ; ) {
    let query = db
      .selectFrom('customer_import_parts')
      .select(['part', 'lines', 'results'])
      .where('account_id', '=', accountId)
      .where('import_id', '=', importId)
      .where('part', '>', after);
    if (onlySkipped) query = query.where('skipped_count', '>', 0);
    const parts = await query.orderBy('part').limit(BATCH_SIZE).execute();
    if (parts.length === 0) return;
    after = parts.at(-1)!.part;
    const lines = parts.flatMap(({ lines, results }) => {
      const outcomes: LineResult[] = JSON.parse(results ?? '[]');
      return readLines(lines).map((line, index) => ({ ...line, result: outcomes[index] }));
    });
    const shown = onlySkipped ? lines.filter(({ result }) => typeof result === 'object') : lines;
    const customers = await customersById(
      db,
      accountId,
      shown.map(({ result }) => result).filter((result) => typeof result === 'number'),
    );
    yield shown.map((line) => reportLine(line, customers, explain)).join('');
  }
}

type Customers = ReadonlyMap<number, { name: string; subdomain: string }>;

/** Returns the customers with their current names. */
async function customersById(db: Db, accountId: number, ids: readonly number[]): Promise<Customers> {
  if (ids.length === 0) return new Map();
  const customers = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'subdomain'])
    .where('id', 'in', ids)
    .where('parent_id', '=', accountId)
    .execute();
  return new Map(customers.map((customer) => [customer.id, customer]));
}

function reportLine(
  { number, cells, result }: PartLine & { result: LineResult | undefined },
  customers: Customers,
  explain: ReportInput['explain'],
): string {
  if (typeof result === 'number') {
    const { name = '', subdomain = '' } = customers.get(result) ?? {};
    const rest = importFields.slice(2).map(() => '');
    return csvLine([{ number }, 'created', name, subdomain, ...rest, { number: result }, '']);
  }
  const problem = (result ?? []).map((failure) => `${failure.field} ${explain(failure)}`).join('; ');
  return csvLine([{ number }, result ? 'skipped' : 'not tried', ...cells, '', problem]);
}
