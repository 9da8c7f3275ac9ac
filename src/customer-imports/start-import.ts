import { hash } from 'node:crypto';
import { checkNesting } from '../accounts/check-nesting.ts';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import { dialectOf, type Trx } from '../db/database.ts';
import { RowInserter } from '../db/row-inserter.ts';
import { Refusal } from '../refusal.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import type { ImportColumns } from './columns.ts';
import { partSizes, toPartLines, toParts, writeLines } from './part.ts';
import type { CsvLine } from './read-csv.ts';

interface StartImportInput {
  fileName: string;
  /** See `hashFile`. */
  fileHash: string;
  lines: readonly CsvLine[];
  columns: ImportColumns;
}

const MAX_FILE_NAME_CHARACTERS = 200;

/**
 * Stores the lines of a file. The service then creates customers from them, and skips wrong lines. Returns the id of the
 * import.
 * @throws Refusal if another import is running, or the account is on the last level of accounts
 */
export async function startImport(
  trx: Trx,
  accountId: number,
  { fileName, fileHash, lines, columns }: StartImportInput,
  by: Actor,
): Promise<number> {
  await lockAccount(trx, accountId);
  await checkNesting(trx, accountId);
  const name = fileName.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_FILE_NAME_CHARACTERS);
  const { id } = await trx
    .insertInto('customer_imports')
    .values({
      account_id: accountId,
      user_id: by.userId,
      actor: by.name,
      ip: by.ip,
      file_name: name,
      file_hash: fileHash,
      line_count: lines.length,
      state: 'running',
      created_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refuseSecond);
  const parts = toParts(toPartLines(lines, columns), partSizes[dialectOf(trx)]);
  const rows = new RowInserter(trx);
  for (const [part, its] of parts.entries()) {
    const text = writeLines(its);
    const row = { account_id: accountId, import_id: id, part, lines: text };
    await rows.add('customer_import_parts', row, text.length);
  }
  await rows.flush();
  const event = { action: 'import.started', subject: `import_${id}`, details: { name, lines: lines.length } };
  await recordAuditEvent(trx, accountId, by, event);
  return id;
}

/** Returns a hash that identifies the file. */
export function hashFile(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** Throws a Refusal if the error says that another import of the account is running, or else the error itself. */
export function refuseSecond(error: unknown): never {
  if (violatedUniqueRule(error) !== 'customer_imports_running') throw error;
  throw new Refusal('conflict', { reason: 'import_running' });
}
