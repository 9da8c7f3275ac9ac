import { Readable } from 'node:stream';
import { changeSettings } from '../src/accounts/change-settings.ts';
import type { UserActor } from '../src/audit/record-audit-event.ts';
import type { Trx } from '../src/db/database.ts';
import { changeMedia } from '../src/media/change-media.ts';
import type { ImageMaker } from '../src/media/image-maker.ts';
import type { MediaStore } from '../src/media/store.ts';
import { uploadImage } from '../src/media/upload-image.ts';
import { createPage } from '../src/pages/create-page.ts';
import type { Business } from './businesses.ts';
import type { Picture } from './pictures.ts';
import type { Random } from './random.ts';
import { type PageText, type PlacedPicture, writePages } from './write-pages.ts';

export interface SitePicture extends Picture {
  alt: string;
  caption: string;
}

interface SiteTools {
  store: MediaStore;
  maker: ImageMaker;
  random: Random;
}

/** Builds the site of a customer as its owner would: theme, images and pages. */
export async function buildSite(
  trx: Trx,
  accountId: number,
  { business, pictures, store, maker, random }: SiteTools & { business: Business; pictures: readonly SitePicture[] },
  by: UserActor,
): Promise<void> {
  const { theme, accents } = business.trade.look;
  const look = { theme, accent: business.isShowpiece ? accents[0] : random.pick(accents), language: 'en-GB' };
  await changeSettings(trx, accountId, { ...look, timeZone: 'Europe/London' }, by);
  const placed: PlacedPicture[] = [];
  for (const { name, bytes, alt, caption } of pictures) {
    const commit = <T>(work: (trx: Trx) => Promise<T>) => work(trx);
    const upload = { source: Readable.from([bytes]), name, commit };
    const dependencies = { db: trx, store, maker, quota: 2 ** 40, limit: 2 ** 25 };
    const { media } = await uploadImage(dependencies, accountId, upload, by);
    await changeMedia(trx, accountId, { id: media.id, alt }, by);
    placed.push({ src: media.src, alt, caption });
  }
  await addPages(trx, accountId, writePages(business, random, placed), by);
}

export async function addPages(
  trx: Trx,
  accountId: number,
  pages: readonly PageText[],
  by: UserActor,
  parentId?: number,
): Promise<void> {
  for (const { name, description, body, children = [] } of pages) {
    const id = await createPage(trx, accountId, {
      name,
      description,
      body,
      bodyFormat: 'wysiwyg_format',
      isHidden: undefined,
      parentId: parentId?.toString(),
      userId: by.userId,
      ip: by.ip,
      quota: 2 ** 40,
    });
    await addPages(trx, accountId, children, by, id);
  }
}
