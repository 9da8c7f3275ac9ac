import { WINDOW_MS } from '../limits.ts';
import type { Schema } from './json-schema.ts';

/** The response headers that the OpenAPI document describes, by name. */
export const headers: Record<string, { description: string; schema: Schema; example: string }> = {
  'X-Request-Id': header('Id of the request in our logs: your own id if you sent one.', 'k3J9a-1f'),
  ETag: header('Identifies these contents, for `If-None-Match`.', 'W/"1-12-34"'),
  'Pages-Version': header('The version of the list of pages, for `since`.', '57'),
  'Cache-Control': header(
    'The response is only for the holder of the key, and must be revalidated each time.',
    'private, no-cache',
  ),
  'WWW-Authenticate': header('How to authenticate.', 'Bearer realm="API"'),
  'Retry-After': header('How many seconds to wait.', '17'),
  RateLimit: header(
    'How many requests are left (`r`), and for how many seconds (`t`). Absent if requests are not limited.',
    '"default";r=5998;t=42',
  ),
  'RateLimit-Policy': header(
    `How many requests (\`q\`) a key may make in how many seconds (\`w\`).`,
    `"default";q=6000;w=${WINDOW_MS / 1000}`,
  ),
};

function header(description: string, example: string) {
  return { description, schema: { type: 'string' }, example };
}
