import type { IdPrefix } from './ids.ts';

/** A JSON Schema, with the keywords that the OpenAPI document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
  readonly $ref?: string;
}

/** The schema of answers to requests that fail. */
export const failureSchema: Schema = objectSchema({
  response: { const: false },
  errors: { type: 'string', description: 'What went wrong, in one or two sentences.' },
});

/** The schema of answers to requests that break rules. */
export const refusedSchema: Schema = objectSchema({
  response: { const: false },
  errors: {
    description: 'A message, or pairs of field and message.',
    oneOf: [
      { type: 'string' },
      {
        type: 'array',
        items: {
          type: 'array',
          prefixItems: [{ type: 'string' }, { type: 'string' }],
          minItems: 2,
          maxItems: 2,
        },
      },
    ],
  },
});

/** The schema of answers to changes that return nothing. */
export const successSchema: Schema = successWith({});

/** Returns the schema of answers to changes that return these properties. */
export function successWith(properties: Readonly<Record<string, Schema>>): Schema {
  return objectSchema({
    response: { const: true },
    errors: { type: 'array', maxItems: 0, description: 'Always empty.' },
    ...properties,
  });
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the schema of an object without required properties. */
export function partialSchema(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties };
}

/** Returns the schema of an object in which all properties but the optional ones are required. */
export function objectSchema(
  properties: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } };
}

export function textSchema(description: string, example: string): Schema {
  return { type: 'string', description, examples: [example] };
}

/** Returns the schema of an integer of at least 0. */
export function countSchema(description: string, example = 12): Schema {
  return { type: 'integer', minimum: 0, description, examples: [example] };
}

/** Returns the schema of a text or null. The default example is null. */
export function textOrNull(description: string, example: string | null = null): Schema {
  return { type: ['string', 'null'], description, examples: [example] };
}

/** Returns the schema of a time in ISO 8601, or null. */
export function timeOrNull(description: string): Schema {
  return { type: ['string', 'null'], format: 'date-time', description, examples: [null] };
}

/** Returns the schema of an id like `page_12`. */
export function idSchema(prefix: IdPrefix, description: string): Schema {
  return { ...textSchema(description, `${prefix}_12`), pattern: `^${prefix}_[1-9][0-9]*$` };
}

/**
 * Returns an example of the schema, assembled from the examples of its required properties. `schemas` has the schemas that
 * it refers to.
 */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').at(-1)!]!, schemas);
  if (schema.examples) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (schema.oneOf) return exampleOf(schema.oneOf[0]!, schemas);
  if (schema.type === 'array') return schema.items && schema.maxItems !== 0 ? [exampleOf(schema.items, schemas)] : [];
  const { properties, required = [] } = schema;
  if (!properties) return null;
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name]!, schemas)]));
}
