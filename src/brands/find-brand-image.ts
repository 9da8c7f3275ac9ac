import type { Db } from '../db/database.ts';

/**
 * Returns the PNG of the brand image with that name, of whichever account: who sees the sign-in page of a brand sees its logo,
 * without a session. The name is the hash of the file, so it leads to nothing else.
 */
export async function findBrandImage(db: Db, name: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('brand_images').select('png').where('name', '=', name).limit(1).executeTakeFirst();
  return row && Buffer.from(row.png, 'base64');
}
