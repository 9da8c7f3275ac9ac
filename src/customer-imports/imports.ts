import type { Selectable } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { latestFirst } from '../db/index-order.ts';
import type { CustomerImportsTable } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { type LineResult, type PartLine, readLines } from './part.ts';

export type ImportRow = Selectable<CustomerImportsTable>;

/** @throws AppError `not_found` */
export async function getImport(db: Db | Trx, accountId: number, importId: number): Promise<ImportRow> {
  const found = await db
    .selectFrom('customer_imports')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', importId)
    .executeTakeFirst();
  if (!found) throw notFound('The import');
  return found;
}

const MAX_LISTED_IMPORTS = 20;

/** Lists the account's last imports, the latest first. */
export function listImports(db: Db | Trx, accountId: number): Promise<ImportRow[]> {
  const { where, account, id } = latestFirst(db, 'customer_imports', accountId);
  return db
    .selectFrom('customer_imports')
    .selectAll()
    .where(where)
    .where('account_id', '=', accountId)
    .orderBy(account, 'desc')
    .orderBy(id, 'desc')
    .limit(MAX_LISTED_IMPORTS)
    .execute();
}

/** Returns the last import of a file that is not done, to go on with it; undefined if there is none. */
export function findUnfinishedImport(
  db: Db | Trx,
  accountId: number,
  fileHash: string,
): Promise<Pick<ImportRow, 'id'> | undefined> {
  return db
    .selectFrom('customer_imports')
    .select('id')
    .where('account_id', '=', accountId)
    .where('file_hash', '=', fileHash)
    .where('state', '!=', 'done')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export interface SkippedLine extends PartLine {
  failures: readonly FieldError[];
}

/** How many parts one query reads. */
const MAX_PARTS = 20;

/** Returns the first lines that did not become customers, with the reasons; at most `limit`. */
export async function listSkippedLines(
  db: Db | Trx,
  accountId: number,
  { importId, limit }: { importId: number; limit: number },
): Promise<SkippedLine[]> {
  const parts = await db
    .selectFrom('customer_import_parts')
    .select(['lines', 'results'])
    .where('account_id', '=', accountId)
    .where('import_id', '=', importId)
    .where('skipped_count', '>', 0)
    .orderBy('part')
    .limit(MAX_PARTS)
    .execute();
  const skipped = parts.flatMap(({ lines, results }) => {
    const outcomes: LineResult[] = JSON.parse(results ?? '[]');
    return readLines(lines).flatMap((line, index) => {
      const failures = outcomes[index];
      return typeof failures === 'object' ? [{ ...line, failures }] : [];
    });
  });
  return skipped.slice(0, limit);
}
