import { operator } from '../audit/record-audit-event.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { snapshot } from '../db/snapshot.ts';
import { inEnglish } from '../english.ts';
import { ValidationError } from '../errors.ts';
import { checkImport, importPages } from '../pages/import-pages.ts';
import { parsePageId } from '../pages/page.ts';
import { readPageTree } from '../pages/read-page-tree.ts';
import { findOwner } from '../users/find-owner.ts';
import type { Output } from './command.ts';

interface ImportTreeInput {
  /** A document in the form in which the API lists pages. */
  document: unknown;
  /** The id of the page below which they come; blank for the root. */
  parent: string;
  /** Only checks the file. */
  isDryRun: boolean;
}

/** Creates the pages of a document, or none: then the output names every place that is wrong. */
export async function importPageTree(
  { db, config }: { db: Db; config: Config },
  accountId: number,
  { document, parent, isDryRun }: ImportTreeInput,
): Promise<Output> {
  try {
    const pages = readPageTree(document);
    const input = { pages, parentId: parsePageId(parent), quota: config.pageQuota };
    if (isDryRun) await snapshot(db, (trx) => checkImport(trx, accountId, input));
    else {
      await db.transaction().execute(async (trx) => {
        await importPages(trx, accountId, input, { userId: await findOwner(trx, accountId), by: operator });
      });
    }
    const count = pages.length === 1 ? '1 page' : `${pages.length} pages`;
    const text = `${count} ${isDryRun ? 'checked: all are right' : 'created'}.`;
    return { text, json: { import: { pages: pages.length, created: isDryRun ? 0 : pages.length, wrong: [] } } };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return wrongResult(error);
  }
}

function wrongResult({ fields }: ValidationError): Output {
  const wrong = fields.map((failure) => ({
    place: failure.field === 'parent_id' ? '--parent' : failure.field,
    message: inEnglish(failure),
  }));
  const sentences = wrong.map(({ place, message }) => `${place} ${message}.`);
  const text = [...sentences, 'No page was created.'].join('\n');
  return { text, json: { import: { created: 0, wrong } }, exitCode: 1 };
}
