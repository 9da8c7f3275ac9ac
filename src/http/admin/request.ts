import type { Db } from '../../db/database.ts';
import { ChangeTooLong } from '../../db/long-changes.ts';
import { AppError } from '../../errors.ts';
import { queryValue } from '../../query.ts';
import { holderFinder, strangerHolderFinder } from '../../tenancy/holder.ts';
import type { ArchiveImports } from '../archive-imports.ts';
import { hasBody, isLarge, queueLarge, queueLongChange, withBody } from '../body.ts';
import { network } from '../client.ts';
import { decodeUtf8, readFormField } from '../form.ts';
import type { BodyType, LargeRequests } from '../large-requests.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { parseStrictJson } from '../strict-json.ts';
import { parseInput } from './parse-input.ts';
import type { AdminRequest, AdminRoute } from './route.ts';

interface ReadOptions {
  readonly db: Db;
  readonly maxBodyBytes: number;
  /** The size of the stored texts that the request works with. */
  readonly storedBytes: number;
  readonly largeRequests: Pick<LargeRequests, 'answer' | 'parse'>;
  readonly longChanges: Pick<LargeRequests, 'answer'>;
}

/**
 * Calls `handle` with the JSON document in the request's body, or with an empty object if the request or the route has no body.
 * If the route allows it, large requests are answered in another thread, and requests for which `handle` throws ChangeTooLong in
 * a third thread.
 * @throws AppError `malformed` or `too_large`
 */
export async function withDocument(
  route: AdminRoute,
  ctx: RequestContext,
  { db, maxBodyBytes, storedBytes, largeRequests, longChanges }: ReadOptions,
  handle: (document: unknown) => HttpResponse | Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { request, ip, sessionOwner } = ctx;
  const findHolder = sessionOwner ? holderFinder(db, sessionOwner.accountId) : strangerHolderFinder(network(ip));
  const changeInThread = (bytes?: Buffer) => queueLongChange(findHolder, () => longChanges.answer('admin', ctx, bytes));
  const handleOrPassOn = async ({ document, bytes }: ReadBody) => {
    try {
      return await handle(document);
    } catch (error) {
      if (!(error instanceof ChangeTooLong && route.mayRunInThread)) throw error;
      return changeInThread(bytes);
    }
  };
  if (!route.body || !hasBody(request)) {
    if (!isLarge(storedBytes)) return handleOrPassOn({ document: {} });
    if (route.changesManyPages) return changeInThread();
    return queueLarge(findHolder, () => largeRequests.answer('admin', ctx, undefined));
  }
  const type = bodyType(route, ctx);
  const options = { limit: maxBodyBytes, findHolder, beside: storedBytes };
  const read = await withBody<ReadBody | { response: HttpResponse }>(request, options, async (bytes) => {
    if (!isLarge(bytes.length + storedBytes)) return { document: parse(bytes, type), bytes };
    if (route.mayRunInThread) return { response: await largeRequests.answer('admin', ctx, bytes) };
    return { document: await largeRequests.parse(type, bytes) };
  });
  return 'response' in read ? read.response : handleOrPassOn(read);
}

/**
 * Receives an archive, and has it imported in a thread for archives.
 * @throws AppError `malformed`, `too_large`; RateLimited if too many archives are being imported
 */
export function withArchive(
  ctx: RequestContext,
  accountId: number,
  { db, limit, archives }: { readonly db: Db; readonly limit: number; readonly archives: ArchiveImports },
): Promise<HttpResponse> {
  const { request } = ctx;
  // Forms of other sites cannot send this type.
  if (request.headers['content-type'] !== 'application/octet-stream') {
    throw new AppError('malformed', 'The body must be application/octet-stream.');
  }
  const findHolder = holderFinder(db, accountId);
  return archives.answer(accountId, ctx, {
    surface: 'admin',
    findHolder,
    fetchesImages: queryValue(ctx.query, 'images') !== undefined,
    receive: () => withBody(request, { limit, findHolder, hasOwnQueue: true }, (bytes) => bytes),
  });
}

interface ReadBody {
  readonly document: unknown;
  /** The bytes of a small body. */
  readonly bytes?: Buffer;
}

/** Returns the request with its body and query, parsed by the route's schemas. @throws AppError */
export function readRequest(
  { body, query }: AdminRoute,
  ctx: RequestContext,
  id: number,
  document: unknown,
): AdminRequest {
  const values = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, queryValue(ctx.query, name)]));
  return {
    ctx,
    id,
    body: body ? parseInput(body, document) : {},
    query: query ? parseInput(query, values(Object.keys(query.entries))) : {},
  };
}

/** Returns the type of the body. JSON cannot be sent by forms of other sites. @throws AppError `malformed` */
function bodyType({ mayBeForm }: AdminRoute, { request }: RequestContext): BodyType {
  const type = request.headers['content-type'] ?? '';
  if (mayBeForm && type === 'application/x-www-form-urlencoded') return 'form';
  if (/^application\/json *(;|$)/i.test(type)) return 'json';
  throw new AppError('malformed', 'The body must be application/json.');
}

/** Parses a body of JSON, or the JSON in the field `json` of a form. @throws AppError `malformed` */
export function parse(bytes: Buffer, type: BodyType): unknown {
  const text = decodeUtf8(bytes);
  try {
    return parseStrictJson(type === 'form' ? (readFormField(text, 'json') ?? '') : text);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('malformed', 'The body is not valid JSON.');
  }
}
