import { readConfig } from '../src/config.ts';
import type { Db } from '../src/db/database.ts';
import { addMedia } from '../src/media/add-media.ts';
import { openMediaStore } from '../src/media/open-store.ts';
import type { TestDatabase } from './databases.ts';
import { actor, quota } from './factories.ts';

/** Adds an image to the account, with a file of one byte, and returns its address on its site. */
export async function makeImage(
  { db, config }: Pick<TestDatabase, 'db' | 'config'>,
  accountId: number,
  userId: number,
  letter = 'a',
): Promise<string> {
  const hash = letter.repeat(32);
  const file = `${hash}-2x1.webp`;
  const folder = `${accountId}/${hash}-1`;
  await openMediaStore(readConfig({ DATA_DIR: config.dataDir })).put(`${folder}/${file}`, Buffer.from(letter));
  const image = { hash, kind: 'png', width: 2, height: 1, isMoving: false, name: `${letter}.png`, folder } as const;
  await db
    .transaction()
    .execute((trx) => addMedia(trx, accountId, { ...image, quota, files: { [file]: 1 } }, actor(userId)));
  return `/media/${file}`;
}

/** Returns the account's first user. */
export async function ownerOf(db: Db, accountId: number): Promise<number> {
  const users = db.selectFrom('users').select('id').where('account_id', '=', accountId).orderBy('id').limit(1);
  return (await users.executeTakeFirstOrThrow()).id;
}
