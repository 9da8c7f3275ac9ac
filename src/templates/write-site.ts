import type { Trx } from '../db/database.ts';
import { type ImageToCopy, insertImageCopies } from '../media/copy-images.ts';
import { insertPageCopies } from '../pages/insert-page-copies.ts';
import { changeSite } from '../sites/change-site.ts';
import { pageHash } from './page-hash.ts';
import type { SiteToCopy } from './read-site.ts';

/** A site with the images that have been copied for another site. */
export interface CopiedSite extends SiteToCopy {
  /** The images in the folders of the account that gets them. */
  images: ImageToCopy[];
  /** The most bytes that the account's pages, and its images, may take up. */
  pageQuota: number;
  imageQuota: number;
}

/**
 * Fills the site of an account that has no pages yet with a copy of another site: its pages and their places, their images, and
 * its look. For a template, records which page was made from which, so that changes of the template can be pushed. The
 * account's editor and language are set when it is created.
 * @throws LimitReached; AppError `conflict` if the images do not fit the quota
 */
export async function writeSite(trx: Trx, accountId: number, site: CopiedSite, userId: number): Promise<void> {
  const { pages, images, theme, accent, secondButton, template } = site;
  const { ids, version } = await insertPageCopies(trx, accountId, pages, { userId, quota: site.pageQuota });
  await insertImageCopies(trx, accountId, images, { userId, quota: site.imageQuota });
  const button = secondButton === null ? undefined : ids.get(secondButton);
  await changeSite(trx, accountId, { theme, accent, secondButton: button });
  if (!template) return;
  const madeAt = Date.now();
  await trx
    .insertInto('template_sites')
    .values({ account_id: accountId, template_id: template.id, made_at: madeAt })
    .execute();
  if (pages.length === 0) return;
  await trx
    .insertInto('template_pages')
    .values(
      pages.map((page) => ({
        account_id: accountId,
        page_id: ids.get(page.id)!,
        source_id: page.id,
        version,
        hash: pageHash(page),
      })),
    )
    .execute();
}
