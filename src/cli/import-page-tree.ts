import { type Actor, operator } from '../audit/record-audit-event.ts';
import type { Config } from '../config.ts';
import type { Db, Trx } from '../db/database.ts';
import { inEnglish } from '../english.ts';
import { ValidationError } from '../errors.ts';
import { parsePageId } from '../pages/page.ts';
import { type FileToImport, prepareFile } from '../site-imports/prepare-file.ts';
import { findOwner } from '../users/find-owner.ts';
import type { Output } from './command.ts';
import { counted, printable } from './output.ts';

interface ImportTreeInput {
  /** A list of pages, an archive or a folder. */
  readonly file: FileToImport;
  /** The id of the parent page; blank for the root. */
  readonly parent: string;
  /** True to only check the file. */
  readonly isDryRun: boolean;
}

/** Creates all pages of a file or none. If the file is invalid, the output names every wrong place. */
export async function importPageTree(
  { db, config }: { db: Db; config: Config },
  accountId: number,
  { file, parent, isDryRun }: ImportTreeInput,
): Promise<Output> {
  const commit = <T>(work: (trx: Trx, by: Actor) => Promise<T>) =>
    db.transaction().execute((trx) => work(trx, operator));
  const input = { file, parentId: parsePageId(parent), isDryRun, blogName: 'Blog', siteUrl: '', images: true };
  const importer = { userId: await findOwner(db, accountId), commit };
  try {
    const { pages } = await commit(await prepareFile({ db, config }, accountId, input, importer));
    const count = counted(pages.length, 'page');
    const text = `${count} ${isDryRun ? 'checked: no errors' : 'created'}.`;
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
  const sentences = wrong.map(({ place, message }) => printable(`${place} ${message}.`));
  const text = [...sentences, 'No page was created.'].join('\n');
  return { text, json: { import: { created: 0, wrong } }, exitCode: 1 };
}
