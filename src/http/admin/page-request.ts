import type { Db } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { AppError, ValidationError } from '../../errors.ts';
import { PageConflict } from '../../pages/page-conflict.ts';
import type { PageChange } from '../../pages/update-page.ts';
import type { HttpResponse } from '../request-context.ts';
import type { HomeChangeJson, OutdatedPageJson, PageChangeJson } from './contract.ts';
import { pageTag, readPageJson } from './page-json.ts';
import { jsonResponse } from './responses.ts';
import type { SignedInRequest } from './route.ts';

/** Returns the version in `If-Match`; undefined if there is no such header or it is `*`. @throws AppError `malformed` */
export function readIfMatch({ ctx }: SignedInRequest): number | undefined {
  const text = ctx.request.headers['if-match'];
  if (text === undefined || text === '*') return undefined;
  const version = /^(?:W\/)?"(\d{1,15})"$/.exec(text.trim())?.[1];
  if (version === undefined) throw new AppError('malformed', 'If-Match must be the version of a page, in quotes.');
  return Number(version);
}

/**
 * Returns the version in `If-Match`, which a change must have; undefined for `*`, any version.
 * @throws IfMatchNeeded; AppError `malformed`
 */
export function requireIfMatch(request: SignedInRequest): number | undefined {
  if (request.ctx.request.headers['if-match'] === undefined) throw new IfMatchNeeded();
  return readIfMatch(request);
}

/** A change without `If-Match`, which might overwrite contents that the user has never seen. */
export class IfMatchNeeded extends AppError {
  constructor() {
    super('malformed', 'If-Match must name the version of the page that you began with.');
    this.name = 'IfMatchNeeded';
  }
}

/**
 * Answers a request about a page by `work`. If the client's version is outdated, the answer has the present page. Errors name
 * fields as the contract does.
 */
export async function onPage(
  db: Db,
  { sessionOwner }: SignedInRequest,
  work: () => HttpResponse | Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PageConflict) {
      const current = await snapshot(db, (trx) => readPageJson(trx, sessionOwner, error.current.id));
      const body: OutdatedPageJson = { error: { code: 'outdated', message: error.message }, current };
      return jsonResponse(412, body, pageTag(current.version));
    }
    if (error instanceof ValidationError) {
      throw new ValidationError(error.fields.map((error) => ({ ...error, field: camelCase(error.field) })));
    }
    throw error;
  }
}

/** Returns the response to a change of a page: its effect, and the page after it. */
export async function changeResponse(
  db: Db,
  { sessionOwner }: SignedInRequest,
  id: number,
  { changedUrlCount, undo, home }: PageChange & HomeChangeJson,
): Promise<HttpResponse> {
  const page = await snapshot(db, (trx) => readPageJson(trx, sessionOwner, id));
  const body: PageChangeJson = {
    changedAddresses: changedUrlCount,
    undo: undo ?? null,
    ...(home !== undefined && { home }),
    page,
  };
  return jsonResponse(200, body, pageTag(page.version));
}

function camelCase(field: string): string {
  return field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
