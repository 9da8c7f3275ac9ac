import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { readMediaName } from './media-name.ts';

interface MediaFile {
  /** The key in the store. */
  key: string;
  bytes: number;
  type: 'image/webp' | 'image/avif';
}

/** Returns the account's file with this name in URLs; undefined if there is none, or it is no longer shown. */
export async function findMediaFile(db: Db, accountId: number, name: string): Promise<MediaFile | undefined> {
  const read = readMediaName(name);
  if (!read) return undefined;
  const [row] = await select(db, { accountId, hash: read.hash });
  const files = row && (JSON.parse(row.files) as Record<string, number>);
  if (!files || !Object.hasOwn(files, name)) return undefined;
  return { key: `${row.folder}/${name}`, bytes: files[name]!, type: `image/${read.type}` };
}

const select = prepared<{ accountId: number; hash: string }, { folder: string; files: string }>((db, parameter) =>
  db
    .selectFrom('media')
    .select(['folder', 'files'])
    .where('account_id', '=', parameter('accountId'))
    .where('hash', '=', parameter('hash'))
    .where('removed_at', 'is', null),
);
