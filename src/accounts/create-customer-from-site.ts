import type { Db } from '../db/database.ts';
import { copyImages } from '../media/copy-images.ts';
import type { MediaStore } from '../media/store.ts';
import type { SiteToCopy } from '../templates/read-site.ts';
import { reserveAccountId } from './create-account.ts';
import type { PreparedCustomer } from './create-customer.ts';

interface CopyDependencies {
  readonly db: Db;
  readonly store: MediaStore;
  readonly config: { readonly pageQuota: number; readonly mediaQuota: number };
}

/**
 * Prepares a customer that starts with a copy of the site instead of default pages. Copies the image files, and calls
 * `commit` with the customer to create it in one transaction (`createCustomer`). Removes the files again if this fails. The
 * same `site` can be used for many customers.
 */
export async function createCustomerFromSite<T>(
  { db, store, config }: CopyDependencies,
  customer: PreparedCustomer,
  site: SiteToCopy,
  commit: (customer: PreparedCustomer) => Promise<T>,
): Promise<T> {
  const quotas = { pageQuota: config.pageQuota, imageQuota: config.mediaQuota };
  if (site.images.length === 0) return commit({ ...customer, site: { ...site, ...quotas } });
  const id = await reserveAccountId(db);
  return copyImages({ db, store }, id, site.images, (images) =>
    commit({ ...customer, id, site: { ...site, ...quotas, images: [...images] } }),
  );
}
