import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { formatAccountId, getAccount } from '../accounts/account.ts';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { type Db, dialectOf } from '../db/database.ts';
import { disableStatementTimeout } from '../db/disable-statement-timeout.ts';
import { snapshot } from '../db/snapshot.ts';
import { formatMediaId } from '../media/media.ts';
import type { MediaStore } from '../media/store.ts';
import { replaceFile } from '../replace-file.ts';
import { AccountReader } from './account-reader.ts';
import {
  type FileName,
  FORMAT,
  fileNames,
  IMAGES_FOLDER,
  type Line,
  MANIFEST,
  type Manifest,
  pathOf,
  VERSION,
} from './format.ts';
import { ZipWriter } from './zip-writer.ts';

interface ExportInput {
  /** The path of the archive. An existing file is replaced once the new one is complete. */
  readonly file: string;
  /** True to include secrets, so that users can sign in as before after an import. */
  readonly withSecrets: boolean;
}

interface ExportedAccount {
  readonly lines: Readonly<Record<FileName, number>>;
  /** Images that are not in the archive, since some of their files are missing in the store or damaged. */
  readonly missingImages: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Writes a consistent archive of all that belongs to an account, and records the export in its log. Equal content gives an
 * equal file, byte for byte.
 * @throws AppError `not_found`; `invalid` if the file cannot be written
 */
export async function exportAccount(
  { db, store }: { db: Db; store: MediaStore },
  accountId: number,
  { file, withSecrets }: ExportInput,
  by: Actor,
): Promise<ExportedAccount> {
  await getAccount(db, accountId);
  return replaceFile(file, 'archive', async (path) => {
    // Only the owner may read the file: it has people's addresses, and unpublished pages.
    const handle = await open(path, 'wx', 0o600);
    try {
      const zip = new ZipWriter(handle);
      const written = await writeAccount(zip, { db, store }, accountId, withSecrets);
      await zip.end();
      await handle.sync();
      const details = { pages: written.lines.pages, people: written.lines.people, secrets: withSecrets };
      await db.transaction().execute(async (trx) => {
        const { name } = await getAccount(trx, accountId);
        const event = {
          action: 'account.exported',
          subject: formatAccountId(accountId),
          details: { name, ...details },
        };
        await recordAuditEvent(trx, accountId, by, event);
      });
      return written;
    } finally {
      await handle.close();
    }
  });
}

async function writeAccount(
  zip: ZipWriter,
  { db, store }: { db: Db; store: MediaStore },
  accountId: number,
  withSecrets: boolean,
): Promise<ExportedAccount> {
  const lines = Object.fromEntries(fileNames.map((name) => [name, 0])) as Record<FileName, number>;
  const add = (name: FileName, source: AsyncIterable<Line>) => zip.addLines(pathOf(name), counted(name, source, lines));
  const images = await snapshot(db, async (trx) => {
    await disableStatementTimeout(trx, dialectOf(trx));
    const reader = await AccountReader.open(trx, accountId);
    for (const name of fileNames) {
      if (name === 'images') continue;
      await add(name, name === 'people' && withSecrets ? reader.peopleWithSecrets() : reader.lines(name));
    }
    return Array.fromAsync(reader.images());
  });
  // Reads the image files after the snapshot, which would make PostgreSQL keep old rows while the store is read.
  const found: Line[] = [];
  const missingImages: { id: string; name: string }[] = [];
  for (const { line, id, folder, files } of images) {
    const contents = await readImage(store, folder, files);
    if (!contents) {
      missingImages.push({ id: formatMediaId(id), name: String(line.name) });
      continue;
    }
    for (const [name, content] of contents) await zip.addStored(IMAGES_FOLDER + name, content);
    found.push(line);
  }
  await add('images', asyncOf(found));
  const manifest: Manifest = { format: FORMAT, version: VERSION, has_secrets: withSecrets, lines };
  await zip.addLines(MANIFEST, asyncOf([`${JSON.stringify(manifest, null, 2)}\n`]));
  return { lines, missingImages };
}

async function* counted(
  name: FileName,
  source: AsyncIterable<Line>,
  lines: Record<FileName, number>,
): AsyncGenerator<string> {
  for await (const line of source) {
    lines[name] += 1;
    yield `${JSON.stringify(line)}\n`;
  }
}

async function* asyncOf<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/** Returns the files of an image; undefined if one is missing or has another size. */
async function readImage(
  store: MediaStore,
  folder: string,
  files: Readonly<Record<string, number>>,
): Promise<[name: string, content: Buffer][] | undefined> {
  const contents: [string, Buffer][] = [];
  for (const [name, bytes] of Object.entries(files)) {
    const stream = await store.open(`${folder}/${name}`);
    const content = stream && (await buffer(stream));
    if (content?.length !== bytes) return undefined;
    contents.push([name, content]);
  }
  return contents;
}
