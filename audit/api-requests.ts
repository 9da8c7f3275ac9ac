import fc from 'fast-check';
import { resolveRef } from '../test/openapi-answers.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON
type Json = any;

/** Ids of existing objects by the first segment of the path. */
export type Ids = Map<string, string[]>;

export interface Sent {
  readonly method: string;
  readonly path: string;
  /** The path in the document. */
  readonly template: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | undefined;
}

/** Texts that have broken other programs. */
const hostileTexts = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '0',
      '-1',
      '1.5',
      '1e999',
      'NaN',
      'null',
      'true',
      '[]',
      '{}',
      '%',
      '%00',
      '\u0000',
      '\ud800',
      '\u202e',
      '\ufeff',
    ],
    ...[
      '٣',
      '9'.repeat(20),
      'page_1',
      'page_0',
      'account_1',
      'user_1',
      'key_1',
      'a@b',
      'a@example.com',
      '../..',
      "'",
      '"',
      ';--',
    ],
    ...[
      '2026-02-30',
      '2026-11-27T08:00:00Z',
      '+275760-09-13T00:00:00Z',
      'pages:read',
      '#12',
      'x'.repeat(300),
      'é'.repeat(2000),
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Generates requests to each operation of the document, with valid and invalid values. */
export function requestsOf(document: Json, ids: Ids): fc.Arbitrary<Sent> {
  const operations = Object.entries<Json>(document.paths).flatMap(([template, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) =>
      requestsTo(document, { template, method, operation }, ids),
    ),
  );
  return fc.oneof(...operations);
}

function requestsTo(
  document: Json,
  { template, method, operation }: { template: string; method: string; operation: Json },
  ids: Ids,
): fc.Arbitrary<Sent> {
  const parameters: Json[] = (operation.parameters ?? []).map((parameter: Json) => resolveRef(document, parameter));
  const inQuery = parameters.filter((parameter) => parameter.in === 'query' && parameter.name !== 'api_key');
  const content: Json = operation.requestBody?.content ?? {};
  const fields: Record<string, Json> = content['application/x-www-form-urlencoded']?.schema.properties ?? {};
  const list = /^\/api\/([a-z-]+)/.exec(template)![1]!;
  return fc
    .record({
      id: fc.oneof(
        { weight: 4, arbitrary: fc.nat().map((index) => at(ids.get(list), index) ?? '1') },
        { weight: 1, arbitrary: hostileTexts.map(percentEncoded) },
      ),
      query: someOf(
        Object.fromEntries(inQuery.map(({ name, schema, example }) => [name, textsFor(schema, example, ids)])),
      ),
      fields: someOf(
        Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, textsFor(schema, undefined, ids)])),
      ),
      form: fc.constantFrom('query', 'form', 'json', 'broken'),
      document: documents(document, content),
      headers: someOf(
        {
          'If-Match': fc.constantFrom('*', 'W/"1-abc"', 'x'),
          'If-None-Match': fc.constantFrom('*', 'W/"1-1-10"', 'x'),
          'Idempotency-Key': fc.constantFrom('a', 'b', 'c d', ''),
          Prefer: fc.constant('return=representation'),
        },
        0.1,
      ),
    })
    .map(({ id, query, fields, form, headers, document }) => {
      const path = template.replace('{id}', id);
      const pairs = Object.entries(query).map(([name, value]) => `${name}=${percentEncoded(value)}`);
      const encoded = Object.entries(fields).map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`);
      const isInBody = (encoded.length > 0 || document !== undefined) && form !== 'query';
      const all = isInBody ? pairs : [...pairs, ...encoded];
      return {
        method: method.toUpperCase(),
        template,
        path: all.length > 0 ? `${path}?${all.join('&')}` : path,
        headers: { ...headers, ...(isInBody && { 'Content-Type': contentTypes[form as keyof typeof contentTypes] }) },
        body: isInBody ? bodyOf(form, encoded, document ?? nested(fields)) : undefined,
      };
    });
}

const contentTypes = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  broken: 'application/json',
};

function bodyOf(form: string, encoded: readonly string[], document: unknown): Buffer {
  if (form === 'form') return Buffer.from(encoded.join('&'));
  const json = JSON.stringify(document);
  return Buffer.from(form === 'broken' ? json.slice(0, -1) : json);
}

function nested(fields: Record<string, string>): unknown {
  const objects: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(fields)) {
    const [, object = '', field = ''] = /^(.*)\[(.*)\]$/.exec(name) ?? [];
    objects[object] = { ...objects[object], [field]: value };
  }
  return objects;
}

/** Generates bodies for an operation whose body is a document rather than a form; undefined for other operations. */
function documents(document: Json, content: Json): fc.Arbitrary<Json> {
  const { 'application/json': json, 'application/x-www-form-urlencoded': form } = content;
  return json && !form ? valuesOf(document, json.schema, 0) : fc.constant(undefined);
}

/** The highest depth of nested lists. */
const MAX_LEVELS = 4;

/** Generates values that mostly fit a schema. */
function valuesOf(document: Json, unresolved: Json, level: number): fc.Arbitrary<Json> {
  const schema = resolveRef(document, unresolved);
  const others = fc.oneof(hostileTexts, fc.constantFrom<Json>(null, true, 0, 1e300, [], {}));
  const fitting: Record<string, () => fc.Arbitrary<Json>> = {
    object: () => {
      const members = Object.entries<Json>(schema.properties ?? {});
      const values = Object.fromEntries(members.map(([name, inner]) => [name, valuesOf(document, inner, level + 1)]));
      return fc.record(values, { requiredKeys: schema.required });
    },
    array: () => {
      const maxLength = level < MAX_LEVELS ? 3 : 0;
      return maxLength === 0 ? fc.constant([]) : fc.array(valuesOf(document, schema.items, level + 1), { maxLength });
    },
    boolean: () => fc.boolean(),
  };
  const examples: Json[] = [...(schema.examples ?? []), ...(schema.enum ?? [])];
  const texts = () => fc.oneof(fc.constantFrom<Json>('', ...examples), fc.string({ maxLength: 20 }));
  return fc.oneof(
    { weight: 20, arbitrary: (fitting[[schema.type].flat()[0]] ?? texts)() },
    { weight: 1, arbitrary: others },
  );
}

function textsFor(schema: Json, example: unknown, ids: Ids): fc.Arbitrary<string> {
  const fitting = [example, ...(schema.examples ?? []), ...(schema.enum ?? [])]
    .filter((value) => value != null)
    .map(String);
  const known = fc.tuple(fc.nat(), fc.nat()).map(([list, index]) => at(at([...ids.values()], list), index) ?? '1');
  return fc.oneof(
    { weight: 5, arbitrary: fitting.length > 0 ? fc.constantFrom(...fitting) : hostileTexts },
    { weight: 1, arbitrary: known },
    { weight: 2, arbitrary: hostileTexts },
  );
}

/** Generates objects that contain each of the values with the given chance. */
function someOf(values: Record<string, fc.Arbitrary<string>>, chance = 0.6): fc.Arbitrary<Record<string, string>> {
  const optional = Object.entries(values).map(([name, value]) =>
    fc
      .tuple(fc.double({ min: 0, max: 1, noNaN: true }), value)
      .map(([dice, text]) => (dice < chance ? [[name, text]] : [])),
  );
  return fc.tuple(...optional).map((pairs) => Object.fromEntries(pairs.flat()));
}

function at<T>(list: readonly T[] | undefined, index: number): T | undefined {
  return list && list.length > 0 ? list[index % list.length] : undefined;
}

/** Like `encodeURIComponent`, but also accepts lone surrogates. */
function percentEncoded(value: string): string {
  return [...Buffer.from(value, 'utf8')]
    .map((byte) =>
      /[\w.~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
}
