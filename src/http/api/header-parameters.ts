import { RETENTION_MS } from '../../idempotency/run-once.ts';
import type { Schema } from './json-schema.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required: boolean;
  schema: Schema;
  example?: unknown;
}

/** The request headers that operations read, as the OpenAPI document describes them. */
export const headerParameters = {
  'Idempotency-Key': parameter(
    'Idempotency-Key',
    `A random text that you choose to identify this request. If you send the request again within ${RETENTION_MS / 3_600_000} hours, it is not done twice: you get the first response again.`,
    { type: 'string', maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    '7d9f1c1e-3c1b-4a86-9f0d-2f6f2f8f6c55',
  ),
  'X-Request-Id': parameter('X-Request-Id', 'Your own id for this request. The response and our logs include it.', {
    type: 'string',
    maxLength: 64,
    pattern: '^[A-Za-z0-9_.:-]+$',
  }),
  'If-None-Match': parameter(
    'If-None-Match',
    'The `ETag` of the response that you have. If nothing has changed, the response is 304 without a body.',
  ),
  'If-Match': parameter(
    'If-Match',
    'The `ETag` of the state that you have seen. If it has changed since, the response is 412 and nothing is changed.',
  ),
  Prefer: parameter(
    'Prefer',
    'With `return=representation`, a successful response has the `id` of the created object. The header `Preference-Applied` confirms it.',
    { type: 'string' },
    'return=representation',
  ),
} as const satisfies Readonly<Record<string, Parameter>>;

function parameter(
  name: string,
  description: string,
  schema: Schema = { type: 'string' },
  example?: string,
): Parameter {
  return { name, in: 'header', description, required: false, schema, ...(example && { example }) };
}
