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
    `A random text of your choosing that names this request. Sent again within ${RETENTION_MS / 3_600_000} hours, the request gets its first answer instead of being done twice.`,
    { type: 'string', maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    '7d9f1c1e-3c1b-4a86-9f0d-2f6f2f8f6c55',
  ),
  'X-Request-Id': parameter(
    'X-Request-Id',
    'An id of your own for this request, which the answer and our logs then carry.',
    { type: 'string', maxLength: 64, pattern: '^[A-Za-z0-9_.:-]+$' },
  ),
  'If-None-Match': parameter(
    'If-None-Match',
    'The `ETag` of the answer you have: if nothing has changed, the answer is 304 without a body.',
  ),
  'If-Match': parameter(
    'If-Match',
    'The `ETag` of the state that you have seen: if it has changed since, the answer is 412 and nothing is done.',
  ),
  Prefer: parameter(
    'Prefer',
    '`return=representation`: a success has the `id` of what was created. The header `Preference-Applied` confirms it.',
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
