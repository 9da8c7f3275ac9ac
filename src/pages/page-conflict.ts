import type { Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { getPageDetails, type PageDetails } from './page-details.ts';
import { isUnchangedSince } from './revisions.ts';

/** Thrown if another change came first. `current` is the page in its present state; nothing has been overwritten. */
export class PageConflict extends AppError {
  readonly current: PageDetails;

  constructor(current: PageDetails, message = `${current.updatedBy} has changed the page in the meantime.`) {
    super('outdated', message);
    this.name = 'PageConflict';
    this.current = current;
  }
}

/**
 * Checks that the page's contents have not changed since the version `basedOn`; undefined skips the check.
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
