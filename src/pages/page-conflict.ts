import type { Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { getPageDetails, type PageDetails } from './page-details.ts';
import { isUnchangedSince } from './revisions.ts';

/** Somebody was faster: `current` is what the page is now. Nothing has been written over. */
export class PageConflict extends AppError {
  readonly current: PageDetails;

  constructor(current: PageDetails, message = `${current.updatedBy} has changed the page in the meantime.`) {
    super('outdated', message);
    this.name = 'PageConflict';
    this.current = current;
  }
}

/**
 * Makes sure that whoever has seen the page at this version still knows what it says; undefined skips the check.
 * @throws PageConflict
 */
export async function checkUnchanged(
  trx: Trx,
  accountId: number,
  page: { id: number; version: number },
  basedOn: number | undefined,
): Promise<void> {
  if (basedOn === undefined || (await isUnchangedSince(trx, accountId, page, basedOn))) return;
  throw new PageConflict(await getPageDetails(trx, accountId, page.id));
}
