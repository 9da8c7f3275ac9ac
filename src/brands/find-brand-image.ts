import type { Db } from '../db/database.ts';

/**
 * Returns the PNG of the brand image with this name, of any account: the sign-in page shows the logo of a brand without a
 * session. The name contains the hash of the file, so it cannot be used to find other images.
 */
export async function findBrandImage(db: Db, name: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('brand_images').select('png').where('name', '=', name).limit(1).executeTakeFirst();
  return row && Buffer.from(row.png, 'base64');
}
