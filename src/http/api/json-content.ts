import { Content, etagOf } from '../content.ts';
import { jsonHeaders } from '../json.ts';

/** Returns an answer of 200 with the value as JSON, and an ETag. */
export function jsonContent(value: object): Content {
  const bytes = Buffer.from(JSON.stringify(value));
  return new Content(bytes, jsonHeaders, etagOf(bytes));
}
