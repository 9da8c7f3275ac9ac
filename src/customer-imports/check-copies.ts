import type { Db } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { measureSite } from '../templates/measure-site.ts';
import { listTemplates } from '../templates/templates.ts';
import type { ImportColumns } from './columns.ts';
import { readOffers, startsFromTemplate } from './offers.ts';
import type { CsvLine } from './read-csv.ts';

/** The most that one import may copy from templates. Without a limit, a small file could fill the disk. */
const MAX_COPIED_PAGES = 500_000;
const MAX_COPIED_BYTES = 20 * 1024 * 1024 * 1024;

/**
 * Checks how many pages, and how many bytes of texts and images, an import would copy from templates. Lines that are wrong
 * otherwise count too. Templates that are too large to copy do not: their lines are skipped.
 * @throws ValidationError for the field `file`
 */
export async function checkCopies(
  db: Db,
  accountId: number,
  { lines, columns }: { lines: readonly CsvLine[]; columns: ImportColumns },
): Promise<void> {
  const named = lines.filter((line) => startsFromTemplate(line, columns));
  if (named.length === 0) return;
  const offers = await readOffers(db, accountId, { lines: named, columns });
  const customersOf = new Map<number, number>();
  for (const { cells } of named) {
    const found = offers.template(cells[columns.template!]!.trim());
    if ('id' in found) customersOf.set(found.id, (customersOf.get(found.id) ?? 0) + 1);
  }
  let [pages, bytes] = [0, 0];
  for (const { id, site_id: siteId } of await listTemplates(db, accountId)) {
    const customers = customersOf.get(id);
    if (customers === undefined) continue;
    const site = await measureSite(db, siteId);
    if (!site) continue;
    pages += customers * site.pages;
    bytes += customers * site.bytes;
  }
  if (pages <= MAX_COPIED_PAGES && bytes <= MAX_COPIED_BYTES) return;
  const params = { pages, bytes, maxPages: MAX_COPIED_PAGES, maxBytes: MAX_COPIED_BYTES };
  throw new ValidationError([{ field: 'file', code: 'copies_too_large', params }]);
}
