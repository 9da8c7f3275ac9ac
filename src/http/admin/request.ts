import { AppError } from '../../errors.ts';
import { queryValue } from '../../query.ts';
import { inSteps, type Steps } from '../../steps.ts';
import { hasBody, withBody } from '../body.ts';
import { network } from '../client.ts';
import type { Exchange } from '../exchange.ts';
import { decodeUtf8, readFormField } from '../form.ts';
import { parseStrictJson } from '../strict-json.ts';
import { Fields } from './fields.ts';
import type { AdminRequest } from './route.ts';

export function readRequest(exchange: Exchange, id: number, maxBodyBytes: number): AdminRequest {
  return {
    exchange,
    id,
    query: (name) => queryValue(exchange.query, name),
    fields: () => readFields(exchange, maxBodyBytes),
    formFields: () => readFields(exchange, maxBodyBytes, true),
  };
}

/** Reads an id from the query; undefined where there is none. @throws AppError `malformed` */
export function readId(query: AdminRequest['query'], name: string): number | undefined {
  const text = query(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new AppError('malformed', `"${name}" must be an id.`);
  return Number(text);
}

async function readFields({ request, ip, person }: Exchange, maxBodyBytes: number, mayBeForm = false): Promise<Fields> {
  if (!hasBody(request)) return new Fields({});
  const isForm = mayBeForm && request.headers['content-type'] === 'application/x-www-form-urlencoded';
  // Forms cannot send this type: one more thing that other sites cannot do.
  if (!isForm && !/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new AppError('malformed', 'The body must be application/json.');
  }
  const options = { limit: maxBodyBytes, whose: person?.accountId ?? network(ip) };
  return withBody(request, options, (bytes) => inSteps(parse(bytes, isForm)));
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
