import { checkAccountValues } from '../accounts/create-account.ts';
import { createCustomer, type PreparedCustomer } from '../accounts/create-customer.ts';
import { createCustomerFromSite } from '../accounts/create-customer-from-site.ts';
import type { CustomerSettings } from '../accounts/mail-login-instructions.ts';
import type { Db } from '../db/database.ts';
import { AppError, RateLimited, ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { keysOf } from '../media/media.ts';
import type { MediaStore } from '../media/store.ts';
import { Refusal } from '../refusal.ts';
import { readTemplate, type SiteToCopy } from '../templates/read-site.ts';
import { checkLine } from './check-line.ts';
import { importFields } from './columns.ts';
import type { ImportRow } from './imports.ts';
import { readOffers } from './offers.ts';
import { type LineResult, type PartLine, partColumns } from './part.ts';
import { ClaimLost, recordPart, starterOf } from './record-part.ts';

export interface ImportDependencies {
  readonly db: Db;
  /** The store with the images of templates. */
  readonly store: MediaStore;
  readonly config: CustomerSettings & { readonly pageQuota: number; readonly mediaQuota: number };
}

/**
 * Returns a function that reads a template of the account. It keeps the last one, since consecutive lines mostly use the
 * same template.
 */
export function templateReader({ db, config }: ImportDependencies, accountId: number) {
  let last: { id: number; site: SiteToCopy } | undefined;
  return async (id: number): Promise<SiteToCopy> => {
    if (last?.id !== id) last = { id, site: await readTemplate(db, accountId, id, config) };
    return last.site;
  };
}

/**
 * Creates the customer of a line with a template, as `createCustomer` does, in one transaction with the import's progress.
 * The images are copied before, and removed if no customer is created. Returns the updated import.
 * @throws ClaimLost
 */
export async function importWithTemplate(
  { readTemplate: read, ...dependencies }: ImportDependencies & { readTemplate: (id: number) => Promise<SiteToCopy> },
  claimed: ImportRow,
  line: PartLine,
): Promise<ImportRow> {
  const { db, config } = dependencies;
  const accountId = claimed.account_id;
  const record = (result: LineResult) => db.transaction().execute((trx) => recordPart(trx, claimed, [line], [result]));
  const offers = await readOffers(db, accountId, { lines: [line], columns: partColumns });
  const checked = checkLine(line, partColumns, offers);
  const { values, failures } = await checkAccountValues(db, checked.customer);
  if (failures.length + checked.failures.length > 0) return record([...failures, ...checked.failures]);
  const { templateId, ...customer } = { ...checked.customer, ...values, passwordHash: null, withDefaultPages: false };
  const site = await read(templateId!).catch((error: unknown) => {
    const failures = findFailures(error);
    if (failures) return failures;
    throw error;
  });
  if (Array.isArray(site)) return record(site);
  const commit = (complete: PreparedCustomer) =>
    db.transaction().execute(async (trx) => {
      const id = await createCustomer(trx, accountId, complete, config, starterOf(claimed));
      return recordPart(trx, claimed, [line], [id]);
    });
  const outcome = await createCustomerFromSite(dependencies, customer, site, commit).catch(async (error: unknown) => {
    const failures = findFailures(error);
    if (failures) return failures;
    if (error instanceof ClaimLost) throw error;
    // A retry would not restore the file, and the following lines would wait forever.
    if (await lacksFile(dependencies.store, site)) return [{ field: 'template', code: 'file_missing' } as const];
    throw error;
  });
  return Array.isArray(outcome) ? record(outcome) : outcome;
}

/** Returns true if a file of the site's images is not in the store. */
async function lacksFile(store: MediaStore, { images }: SiteToCopy): Promise<boolean> {
  for (const key of images.flatMap(keysOf)) {
    const file = await store.open(key);
    if (!file) return true;
    file.destroy();
  }
  return false;
}

/** Returns the failures because of which a line cannot become a customer; undefined if the error has another cause. */
function findFailures(error: unknown): FieldError[] | undefined {
  if (error instanceof ValidationError) {
    const isOfLine = ({ field }: FieldError) => (importFields as readonly string[]).includes(field);
    return error.fields.map((broken) => (isOfLine(broken) ? broken : { ...broken, field: 'template' }));
  }
  if (error instanceof RateLimited) {
    return [{ field: 'user_email', code: 'mailed_too_often', params: { seconds: error.retryAfter } }];
  }
  if (error instanceof Refusal) {
    const { reason, params } = error.why;
    if (reason === 'plan_retired') return [{ field: 'plan', code: 'not_included' }];
    if (reason === 'template_retired') return [{ field: 'template', code: 'not_included' }];
    if (reason === 'impersonation_forbidden') return [{ field: 'template', code: 'not_included' }];
    if (reason === 'site_too_large') return [{ field: 'template', code: 'site_too_large', params }];
    if (reason === 'no_room_for_images') return [{ field: 'template', code: 'no_room', params }];
  }
  // The site has been deleted since the template was found.
  if (error instanceof AppError && error.code === 'not_found') return [{ field: 'template', code: 'not_included' }];
  return undefined;
}
