import type { Config } from '../../config.ts';
import { ref, type Schema } from './json-schema.ts';

/** The configuration values that the OpenAPI document mentions. */
export type DescribedConfig = Pick<
  Config,
  'publicUrl' | 'maxUrlBytes' | 'maxBodyBytes' | 'rateLimit' | 'failedKeyLimit' | 'customersPerAddress'
>;

export interface Response {
  description: string;
  headers: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Schema; example: unknown }>;
}

export interface CommonFailure {
  readonly status: number;
  readonly name: string;
  readonly methods: readonly string[];
  readonly response: Response;
}

/** Returns the errors that any request may get. */
export function commonFailures(config: DescribedConfig): CommonFailure[] {
  const failure = (
    status: number,
    name: string,
    description: string,
    errors: string,
    more: { methods?: string[]; headers?: string[] } = {},
  ): CommonFailure => ({
    status,
    name,
    methods: more.methods ?? ['GET', 'POST'],
    response: {
      description,
      headers: headerRefs(['X-Request-Id', ...(more.headers ?? [])]),
      content: { 'application/json': { schema: ref('Failure'), example: { response: false, errors } } },
    },
  });
  return [
    {
      status: 304,
      name: 'NotModified',
      methods: ['GET'],
      response: {
        description: 'Nothing has changed since the response whose `ETag` is in `If-None-Match`. There is no body.',
        headers: headerRefs(['ETag', 'Cache-Control', ...keyedHeaders]),
      },
    },
    failure(
      401,
      'InvalidKey',
      'The API key is missing, unknown, revoked or expired, or the request has two different keys.',
      'Invalid API key.',
      { headers: ['WWW-Authenticate'] },
    ),
    failure(
      403,
      'Forbidden',
      'The account that owns the key is suspended, the key does not have the scope of the operation, or the request used plain HTTP although the service requires HTTPS.',
      'Account suspended.',
    ),
    {
      status: 422,
      name: 'IdempotencyKeyRefused',
      methods: ['POST'],
      response: {
        description: 'The `Idempotency-Key` was used for a different request, or is not valid.',
        headers: headerRefs(['X-Request-Id']),
        content: {
          'application/json': {
            schema: ref('Refused'),
            example: {
              response: false,
              errors: [['idempotency_key', 'has already been used for a different request']],
            },
          },
        },
      },
    },
    failure(408, 'Timeout', 'The request took too long to arrive.', 'The request took too long to arrive.', {
      methods: ['POST'],
    }),
    failure(
      413,
      'BodyTooLarge',
      `The body is larger than ${config.maxBodyBytes.toLocaleString('en')} bytes.`,
      `The request body is larger than ${config.maxBodyBytes} bytes.`,
      { methods: ['POST'] },
    ),
    failure(
      414,
      'UrlTooLong',
      `The URL is longer than ${config.maxUrlBytes.toLocaleString('en')} bytes. Send long texts in the body.`,
      `The URL is longer than ${config.maxUrlBytes} bytes.`,
      { methods: ['POST'] },
    ),
    failure(
      429,
      'TooManyRequests',
      'Too many requests within a minute, or too many customers created with one e-mail address within a day. `Retry-After` says how many seconds to wait.',
      'Too many requests.',
      { headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'] },
    ),
    failure(
      431,
      'HeadersTooLong',
      'The URL or the headers are too long to be read.',
      'The URL or the headers are too long.',
      { methods: ['POST'] },
    ),
    failure(500, 'ServerError', 'Something went wrong on our side.', 'Something went wrong on our side.'),
    failure(
      503,
      'Unavailable',
      'The service cannot do this at the moment. Nothing was changed, unless the message says that the change may have been made.',
      'The service cannot do this at the moment. Try again.',
      { headers: ['Retry-After'] },
    ),
  ];
}

/** The headers of responses to requests with a valid key. */
export const keyedHeaders = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

export function headerRefs(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
