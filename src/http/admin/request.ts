import { AppError } from '../../errors.ts';
import { queryValue } from '../../query.ts';
import { runInSteps, type Steps } from '../../steps.ts';
import { hasBody, withBody } from '../body.ts';
import { network } from '../client.ts';
import { decodeUtf8, readFormField } from '../form.ts';
import type { RequestContext } from '../request-context.ts';
import { parseStrictJson } from '../strict-json.ts';
import { Fields } from './fields.ts';
import type { AdminRequest } from './route.ts';

export function readRequest(ctx: RequestContext, id: number, maxBodyBytes: number): AdminRequest {
  return {
    ctx,
    id,
    query: (name) => queryValue(ctx.query, name),
    fields: () => readFields(ctx, maxBodyBytes),
    formFields: () => readFields(ctx, maxBodyBytes, true),
  };
}

/** Reads an id from the query; undefined where there is none. @throws AppError `malformed` */
export function readId(query: AdminRequest['query'], name: string): number | undefined {
  const text = query(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new AppError('malformed', `"${name}" must be an id.`);
  return Number(text);
}

async function readFields(
  { request, ip, person }: RequestContext,
  maxBodyBytes: number,
  mayBeForm = false,
): Promise<Fields> {
  if (!hasBody(request)) return new Fields({});
  const isForm = mayBeForm && request.headers['content-type'] === 'application/x-www-form-urlencoded';
  // Forms cannot send this type: one more thing that other sites cannot do.
  if (!isForm && !/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new AppError('malformed', 'The body must be application/json.');
  }
  const options = { limit: maxBodyBytes, fairnessKey: person?.accountId ?? network(ip) };
  return withBody(request, options, (bytes) => runInSteps(parse(bytes, isForm)));
}

function* parse(bytes: Buffer, isForm: boolean): Steps<Fields> {
  const text = decodeUtf8(bytes);
  try {
    return new Fields(yield* parseStrictJson(isForm ? ((yield* readFormField(text, 'json')) ?? '') : text));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('malformed', 'The body is not valid JSON.');
  }
}
