import { AppError } from '../../errors.ts';
import { queryValue } from '../../query.ts';
import { hasBody, isLarge, withBody } from '../body.ts';
import { network } from '../client.ts';
import { decodeUtf8, readFormField } from '../form.ts';
import type { BodyType, ParseElsewhere } from '../large-requests.ts';
import type { RequestContext } from '../request-context.ts';
import { parseStrictJson } from '../strict-json.ts';
import { Fields } from './fields.ts';
import type { AdminRequest } from './route.ts';

interface ReadOptions {
  readonly maxBodyBytes: number;
  readonly parseElsewhere: ParseElsewhere;
}

export function readRequest(ctx: RequestContext, id: number, options: ReadOptions): AdminRequest {
  return {
    ctx,
    id,
    body: {},
    query: (name) => queryValue(ctx.query, name),
    fields: async () => new Fields(await readDocument(ctx, options)),
    formFields: async () => new Fields(await readDocument(ctx, options, checkFormType)),
  };
}

/** Reads an id from the query; undefined where there is none. @throws AppError `malformed` */
export function readId(query: AdminRequest['query'], name: string): number | undefined {
  const text = query(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new AppError('malformed', `"${name}" must be an id.`);
  return Number(text);
}

/** Returns the parsed body; an empty object if there is none. @throws AppError `malformed` or `too_large` */
export async function readDocument(
  ctx: RequestContext,
  { maxBodyBytes, parseElsewhere }: ReadOptions,
  check = checkType,
): Promise<unknown> {
  const { request, ip, person } = ctx;
  if (!hasBody(request)) return {};
  const type = check(ctx);
  const options = { limit: maxBodyBytes, fairnessKey: person?.accountId ?? network(ip) };
  return withBody(request, options, (bytes) =>
    isLarge(bytes.length) ? parseElsewhere(type, bytes) : parse(bytes, type),
  );
}

/** Forms cannot send this type: one more thing that other sites cannot do. @throws AppError `malformed` */
export function checkType({ request }: RequestContext): BodyType {
  if (/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) return 'json';
  throw new AppError('malformed', 'The body must be application/json.');
}

function checkFormType(ctx: RequestContext): BodyType {
  const isForm = ctx.request.headers['content-type'] === 'application/x-www-form-urlencoded';
  return isForm ? 'form' : checkType(ctx);
}

/** @throws AppError `malformed` */
export function parseFields(bytes: Buffer, type: BodyType): Fields {
  return new Fields(parse(bytes, type));
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
