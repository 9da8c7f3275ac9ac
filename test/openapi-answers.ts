import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Json = any;

/** Returns a function that validates values against the document's schemas and rejects properties that they do not name. */
export function schemaChecker(document: Json) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const strict = JSON.parse(JSON.stringify(document), (_, value) =>
    value?.type === 'object' && value.properties ? { ...value, additionalProperties: false } : value,
  );
  ajv.addSchema({ $id: 'document', components: strict.components });
  const compiled = new Map<string, ValidateFunction>();
  return (schema: Json, value: unknown, what: string) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const validate = compiled.getOrInsertComputed(text, () => ajv.compile(JSON.parse(text)));
    assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`);
  };
}

/** Returns the target of the value's `$ref`, or the value itself if it has none. */
export function resolveRef(document: Json, value: Json): Json {
  if (!value.$ref) return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((place: Json, name: string) => place[name], document);
}
