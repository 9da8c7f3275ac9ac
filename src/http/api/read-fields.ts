import { AppError } from '../../errors.ts';
import {
  decodeUtf8,
  type Fields,
  malformed,
  type ObjectShape,
  readJson,
  readMultipart,
  readUrlEncoded,
} from '../form.ts';
import type { RequestContext } from '../request-context.ts';
import type { FieldTexts, ObjectSchema } from './operation.ts';

/** The error if a request needs a field and sends none that the operation has. A name may be misspelled. */
export class NoField extends AppError {
  constructor({ object, fields }: ObjectSchema) {
    const names = Object.keys(fields).map((name) => `${object}[${name}]`);
    super('malformed', `There is nothing to change. Send at least one of ${names.join(', ')}.`);
  }
}

/**
 * Reads the fields of the operation's object from the query and the body. If both have a field, the body's value is used.
 * Returns every field that was sent, as text.
 * @throws AppError `malformed` if the object is missing and not optional, or has an invalid shape; NoField if `needsField`
 * is set and no field was sent
 */
export async function readFields<Name extends string>(
  ctx: RequestContext,
  schema: ObjectSchema<Name>,
  bytes: Buffer | undefined,
  { needsField = false } = {},
): Promise<FieldTexts<Name>> {
  const shape: ObjectShape = { object: schema.object, fields: fieldNames(schema) };
  const fromQuery = readUrlEncoded(ctx.query, shape);
  const fromBody = bytes && bytes.length > 0 ? await readBytes(ctx, bytes, shape) : undefined;
  if (needsField && !fromQuery?.size && !fromBody?.size) throw new NoField(schema);
  if (!fromQuery && !fromBody && !schema.isOptional) throw malformed();
  const texts: FieldTexts<Name> = {};
  for (const [name, value] of [...(fromQuery ?? []), ...(fromBody ?? [])]) {
    const { accepts } = schema.fields[name as Name];
    if (!accepts.some((accepted) => accepted === typeof value || accepted === value)) throw malformed();
    texts[name as Name] = String(value);
  }
  return texts;
}

function readBytes(
  { request }: RequestContext,
  bytes: Buffer,
  shape: ObjectShape,
): Fields | undefined | Promise<Fields | undefined> {
  const { type, header } = contentTypeOf(request);
  if (type === 'application/x-www-form-urlencoded') return readUrlEncoded(decodeUtf8(bytes), shape);
  if (type === 'application/json') return readJson(bytes, shape);
  if (type === 'multipart/form-data') return readMultipart(bytes, header, shape);
  throw malformed();
}

/** Returns the media type of a text body. @throws AppError `malformed` for an encoding other than UTF-8 */
export function contentTypeOf({ headers }: RequestContext['request']): { type: string; header: string } {
  const header = headers['content-type'] ?? '';
  const type = header.split(';', 1)[0]!.trim().toLowerCase();
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(header)?.[1]?.toLowerCase() ?? 'utf-8';
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset)) throw malformed();
  return { type, header };
}

const names = new Map<ObjectSchema, ReadonlySet<string>>();

function fieldNames(schema: ObjectSchema): ReadonlySet<string> {
  return names.getOrInsertComputed(schema, () => new Set(Object.keys(schema.fields)));
}
