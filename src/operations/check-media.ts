import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { type MediaName, readMediaName } from '../media/media-name.ts';
import type { MediaStore } from '../media/store.ts';
import type { Findings, Problem } from './findings.ts';
import { readInBatches } from './read-in-batches.ts';

interface Row {
  id: number;
  account_id: number;
  hash: string;
  width: number;
  height: number;
  is_moving: number;
  bytes: number;
  folder: string;
  files: string;
}

const columns = ['id', 'account_id', 'hash', 'width', 'height', 'is_moving', 'bytes', 'folder', 'files'] as const;

const nameOfImage = ({ id, account_id }: { id: number; account_id: number }) => `media_${id} of account_${account_id}`;

/** Checks that the names of each image's files agree with its address, and that its byte count is right. */
export async function checkMedia(trx: Trx, findings: Findings): Promise<void> {
  const rows = readInBatches<Row>((after, limit) =>
    trx
      .selectFrom('media')
      .select(columns)
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limitInIndexOrder(limit))
      .execute(),
  );
  for await (const row of rows) {
    const files = filesOf(row);
    if (!files) {
      findings.add('images', `${nameOfImage(row)}: the names of its files do not match its address.`);
      continue;
    }
    const sum = files.reduce((total, [, bytes]) => total + bytes, 0);
    if (sum === row.bytes) continue;
    findings.add('images', `${nameOfImage(row)}: its files have ${sum} bytes, but ${row.bytes} are recorded.`);
  }
}

function filesOf(row: Row): [name: string, bytes: number][] | undefined {
  const isOwn = (name: MediaName | undefined) => name?.hash === row.hash && name.isMoving === (row.is_moving === 1);
  try {
    const files = Object.entries(JSON.parse(row.files) as Record<string, number>);
    const names = files.map(([name]) => readMediaName(name));
    const hasLargest = names.some((name) => name?.width === row.width && name.height === row.height);
    const isRight = row.folder.startsWith(`${row.account_id}/${row.hash}-`) && hasLargest && names.every(isOwn);
    return isRight ? files : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Compares the store with the database, and reports files that are missing or damaged. Files that belong to no image are a
 * note. Both sides are read in the order of their keys, so neither has to fit into memory. The database is read without a
 * snapshot, which would stay open for as long as listing the store takes.
 */
export async function checkStore(db: Db, store: MediaStore, findings: Findings): Promise<Problem[]> {
  const wanted = expectedFiles(db);
  const nextWanted = async () => (await wanted.next()).value as ExpectedFile | undefined;
  let [surplus, example, last] = [0, '', ''];
  let next = await nextWanted();
  for await (const { key, bytes } of store.list()) {
    if (key < last) {
      findings.add('images', 'The store does not list files in the order of their keys, so they were not compared.');
      return [];
    }
    last = key;
    for (; next && next.key < key; next = await nextWanted()) await reportMissing(db, next, findings);
    if (next?.key === key) {
      if (next.bytes !== bytes) {
        findings.add('images', `${next.of}: its file ${key} has ${bytes} bytes instead of ${next.bytes}.`);
      }
      next = await nextWanted();
    } else {
      surplus += 1;
      if (example === '') example = key;
    }
  }
  for (; next; next = await nextWanted()) await reportMissing(db, next, findings);
  if (surplus === 0) return [];
  const what = surplus === 1 ? '1 file belongs' : `${surplus} files belong`;
  // The count may include a file that is being uploaded at the moment.
  return [{ check: 'images', message: `${what} to no image, such as ${example}.` }];
}

/** A file that the database expects in the store. `of` is the image's name in messages. */
interface ExpectedFile {
  key: string;
  bytes: number;
  mediaId: number;
  of: string;
}

/**
 * Yields the expected files of all images in the order of their keys, which begin with the account's id and the image's
 * hash.
 */
async function* expectedFiles(db: Db): AsyncGenerator<ExpectedFile> {
  const { rows: accounts } = await sql<{ id: number }>`
    select id from accounts where exists (select 1 from media where media.account_id = accounts.id)`.execute(db);
  for (const { id: accountId } of accounts.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))) {
    const images = readInBatches<Row>((after, limit) =>
      db
        .selectFrom('media')
        .select(columns)
        .where('account_id', '=', accountId)
        .where('hash', '>', after?.hash ?? '')
        .orderBy('hash')
        .limit(limitInIndexOrder(limit))
        .execute(),
    );
    for await (const image of images) {
      const files = filesOf(image) ?? [];
      const of = nameOfImage(image);
      for (const [name, bytes] of files.sort(([a], [b]) => (a < b ? -1 : 1))) {
        yield { key: `${image.folder}/${name}`, bytes, mediaId: image.id, of };
      }
    }
  }
}

/** Reports a missing file, unless its image was deleted in the meantime. */
async function reportMissing(db: Db, { key, mediaId, of }: ExpectedFile, findings: Findings): Promise<void> {
  const image = await db.selectFrom('media').select('id').where('id', '=', mediaId).executeTakeFirst();
  if (image) findings.add('images', `${of}: its file ${key} is missing.`);
}
