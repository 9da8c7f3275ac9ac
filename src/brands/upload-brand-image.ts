import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import type { ImageMaker } from '../media/image-maker.ts';
import { type ImageInBox, makeImageInBox } from '../media/make-image-in-box.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { findOwnBrand } from './brand.ts';
import { BRAND_IMAGE_BOXES, type BrandImageKind } from './brand-image.ts';

interface UploadInput {
  readonly source: Readable;
  readonly kind: BrandImageKind;
  /** The largest upload in bytes. */
  readonly limit: number;
  readonly maker: ImageMaker;
  /** Runs the work in one transaction. */
  readonly commit: (work: (trx: Trx) => Promise<string>) => Promise<string>;
}

/**
 * Makes a logo or an icon from an uploaded image and stores it. Returns its name, for `changeBrand`.
 * @throws the errors of `uploadImage`
 */
export async function uploadBrandImage(
  accountId: number,
  { source, kind, limit, maker, commit }: UploadInput,
  by: Actor,
): Promise<string> {
  const box = BRAND_IMAGE_BOXES[kind];
  const image = await makeImageInBox(maker, accountId, { source, limit, box });
  return commit((trx) => storeBrandImage(trx, accountId, image, by));
}

/** The most images of an account: those of its brand, and those that an open form or an undo may still refer to. */
const MAX_IMAGES = 20;

/**
 * Stores an image that fits into its box, and returns its name. Deletes images beyond the limit that the brand no longer
 * shows.
 */
export async function storeBrandImage(trx: Trx, accountId: number, image: ImageInBox, by: Actor): Promise<string> {
  const { png, width, height } = image;
  const hash = createHash('sha256').update(png).digest('hex').slice(0, 32);
  const name = `${hash}-${width}x${height}`;
  await lockAccount(trx, accountId);
  const created_at = Date.now();
  await trx
    .insertInto('brand_images')
    .values({ account_id: accountId, name, created_at, png: png.toString('base64') })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doUpdateSet({ created_at }))
    .execute();
  await pruneImages(trx, accountId);
  const event = { action: 'brand.image_uploaded', subject: `account_${accountId}`, details: { image: name } };
  await recordAuditEvent(trx, accountId, by, event);
  return name;
}

/** Deletes the oldest images beyond the limit that the brand does not show. */
async function pruneImages(trx: Trx, accountId: number): Promise<void> {
  const brand = await findOwnBrand(trx, accountId);
  const images = await trx
    .selectFrom('brand_images')
    .select('name')
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('name')
    .execute();
  const shown = [brand?.logo, brand?.logo_dark, brand?.icon];
  const surplus = images.slice(MAX_IMAGES).filter(({ name }) => !shown.includes(name));
  if (surplus.length === 0) return;
  await trx
    .deleteFrom('brand_images')
    .where('account_id', '=', accountId)
    .where(
      'name',
      'in',
      surplus.map(({ name }) => name),
    )
    .execute();
}
