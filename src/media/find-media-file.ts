import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { type Parameter, prepared } from '../db/prepared.ts';
import { readMediaName } from './media-name.ts';

interface MediaFile {
  /** The key in the store. */
  key: string;
  bytes: number;
  type: 'image/webp' | 'image/avif';
}

/**
 * Returns the account's file with this name in URLs; undefined if there is none, or its image was removed. With `isInTrash`,
 * returns only files of images in the trash.
 */
export async function findMediaFile(
  db: Db,
  accountId: number,
  name: string,
  { isInTrash = false } = {},
): Promise<MediaFile | undefined> {
  const read = readMediaName(name);
  if (!read) return undefined;
  const select = isInTrash ? selectRemoved : selectShown;
  const [row] = await select(db, { accountId, hash: read.hash });
  const files = row && (JSON.parse(row.files) as Record<string, number>);
  if (!files || !Object.hasOwn(files, name)) return undefined;
  return { key: `${row.folder}/${name}`, bytes: files[name]!, type: `image/${read.type}` };
}

const selectShown = prepared<FileQuery, FileRow>((db, parameter) =>
  selectFiles(db, parameter).where('removed_at', 'is', null),
);
const selectRemoved = prepared<FileQuery, FileRow>((db, parameter) =>
  selectFiles(db, parameter).where('removed_at', '>', sql.lit(0)),
);

interface FileQuery {
  accountId: number;
  hash: string;
}

interface FileRow {
  folder: string;
  files: string;
}

function selectFiles(db: Db, parameter: Parameter<FileQuery>) {
  return db
    .selectFrom('media')
    .select(['folder', 'files'])
    .where('account_id', '=', parameter('accountId'))
    .where('hash', '=', parameter('hash'));
}
