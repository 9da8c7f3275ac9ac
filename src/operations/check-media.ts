import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { type MediaName, readMediaName } from '../media/media-name.ts';
import type { MediaStore } from '../media/store.ts';
import type { Findings, Problem } from './findings.ts';
import { readInParts } from './read-in-parts.ts';

/** What the database says of images: by key in the store, how many bytes each file has, and whose it is. */
export type ExpectedFiles = Map<string, { bytes: number; of: string }>;

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

/** Every image names its files as addresses do, and counts them right. Returns what the store has to have. */
export async function checkMedia(trx: Trx, findings: Findings): Promise<ExpectedFiles> {
  const expected: ExpectedFiles = new Map();
  const rows = readInParts<Row>((after, limit) =>
    trx
      .selectFrom('media')
      .select(['id', 'account_id', 'hash', 'width', 'height', 'is_moving', 'bytes', 'folder', 'files'])
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limitInIndexOrder(limit))
      .execute(),
  );
  for await (const row of rows) {
    const of = `media_${row.id} of account_${row.account_id}`;
    const files = filesOf(row);
    if (!files) {
      findings.add('images', `${of}: its files are not named as its address says.`);
      continue;
    }
    const sum = files.reduce((total, [, bytes]) => total + bytes, 0);
    if (sum !== row.bytes) findings.add('images', `${of}: its files have ${sum} bytes, and it counts ${row.bytes}.`);
    for (const [name, bytes] of files) expected.set(`${row.folder}/${name}`, { bytes, of });
  }
  return expected;
}

function filesOf(row: Row): [name: string, bytes: number][] | undefined {
  const isOwn = (name: MediaName | undefined) => name?.hash === row.hash && name.isMoving === (row.is_moving === 1);
  try {
    const files = Object.entries(JSON.parse(row.files) as Record<string, number>);
    const names = files.map(([name]) => readMediaName(name));
    const hasLargest = names.some((name) => name?.width === row.width && name.height === row.height);
    const isRight = row.folder.startsWith(`${row.account_id}/`) && hasLargest && names.every(isOwn);
    return isRight ? files : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong with the store: files that are missing or damaged. Those that nobody needs are worth knowing. */
export async function checkStore(expected: ExpectedFiles, store: MediaStore, findings: Findings): Promise<Problem[]> {
  const missing = new Map(expected);
  let [surplus, example] = [0, ''];
  for await (const { key, bytes } of store.list()) {
    const known = expected.get(key);
    missing.delete(key);
    if (!known) {
      surplus += 1;
      if (example === '' || key < example) example = key;
    } else if (known.bytes !== bytes) {
      findings.add('images', `${known.of}: its file ${key} has ${bytes} bytes instead of ${known.bytes}.`);
    }
  }
  for (const [key, { of }] of missing) findings.add('images', `${of}: its file ${key} is missing.`);
  if (surplus === 0) return [];
  const what = surplus === 1 ? '1 file belongs' : `${surplus} files belong`;
  // One that is being uploaded this moment is among them.
  return [{ check: 'images', message: `${what} to no image, such as ${example}.` }];
}

/** How many images are on no page, in no draft and in no earlier version: their owners may not know of them any more. */
export async function unusedImages(trx: Trx): Promise<Problem[]> {
  const { rows: accounts } = await sql<{ id: number }>`
    select distinct account_id as id from media where removed_at is null order by 1`.execute(trx);
  let [count, bytes] = [0, 0];
  for (const { id } of accounts) {
    const used = await usedHashes(trx, id);
    const images = await trx
      .selectFrom('media')
      .select(['hash', 'bytes'])
      .where('account_id', '=', id)
      .where('removed_at', 'is', null)
      .execute();
    for (const image of images.filter(({ hash }) => !used.has(hash))) {
      count += 1;
      bytes += image.bytes;
    }
  }
  if (count === 0) return [];
  const what = count === 1 ? '1 image is' : `${count} images are`;
  return [{ check: 'images', message: `${what} on no page; together ${bytes} bytes.` }];
}

const texts = [
  ['pages', 'id', 'body'],
  ['removed_pages', 'id', 'body'],
  ['revisions', 'id', 'body'],
  ['drafts', 'page_id', 'fields'],
] as const;

async function usedHashes(trx: Trx, accountId: number): Promise<Set<string>> {
  const used = new Set<string>();
  for (const [table, id, column] of texts) {
    const ids = await sql<{ id: number }>`select distinct ${sql.ref(id)} as id from ${sql.table(table)}
      where account_id = ${accountId} and ${sql.ref(column)} like '%/media/%'`.execute(trx);
    for (const { id: one } of ids.rows) {
      // One text at a time: each may have megabytes.
      const { rows } = await sql<{ text: string }>`select ${sql.ref(column)} as text from ${sql.table(table)}
        where account_id = ${accountId} and ${sql.ref(id)} = ${one}`.execute(trx);
      for (const { text } of rows) for (const [, hash] of text.matchAll(/\/media\/([0-9a-f]{32})-/g)) used.add(hash!);
    }
  }
  return used;
}
