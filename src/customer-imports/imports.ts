import type { Selectable } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { latestFirst } from '../db/index-order.ts';
import type { CustomerImportsTable } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { type LineResult, type PartLine, readLines } from './part.ts';

export type ImportRow = Selectable<CustomerImportsTable>;

/** Returns the import. @throws AppError `not_found` */
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

/** Returns the last unfinished import of a file, so that it can be continued; undefined if there is none. */
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

interface SkippedLine extends PartLine {
  failures: readonly FieldError[];
}

/** How many parts one query reads. */
const BATCH_SIZE = 20;

/** Returns the first skipped lines with their failures, at most `limit`. */
export async function listSkippedLines(
  db: Db | Trx,
  accountId: number,
  { importId, limit }: { importId: number; limit: number },
): Promise<SkippedLine[]> {
  const skipped: SkippedLine[] = [];
  for (let after = -1; skipped.length < limit; ) {
    const parts = await db
      .selectFrom('customer_import_parts')
      .select(['part', 'lines', 'results'])
      .where('account_id', '=', accountId)
      .where('import_id', '=', importId)
      .where('skipped_count', '>', 0)
      .where('part', '>', after)
      .orderBy('part')
      .limit(BATCH_SIZE)
      .execute();
    if (parts.length === 0) break;
    after = parts.at(-1)!.part;
    for (const { lines, results } of parts) {
      const outcomes: LineResult[] = JSON.parse(results ?? '[]');
      for (const [index, line] of readLines(lines).entries()) {
        const failures = outcomes[index];
        if (typeof failures === 'object') skipped.push({ ...line, failures });
      }
    }
  }
  return skipped.slice(0, limit);
}
