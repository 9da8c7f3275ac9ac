import type { IdPrefix } from './ids.ts';

/** A JSON Schema, as far as the OpenAPI document needs it. */
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

/** The answer to everything that cannot be done. */
export const failureSchema: Schema = objectSchema({
  response: { const: false },
  errors: { type: 'string', description: 'What went wrong, in one or two sentences.' },
});

/** The answer to a request that breaks rules. */
export const refusedSchema: Schema = objectSchema({
  response: { const: false },
  errors: {
    description: 'A sentence, or pairs of field and message.',
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

/** The answer to a change that returns nothing. */
export const successSchema: Schema = successWith({});

/** The answer to a change that returns these properties. */
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

/** An object that may be without any of its properties. */
export function partialSchema(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties };
}

/** An object that always has all of its properties, but for those that are optional. */
export function objectSchema(
  properties: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } };
}

export function textSchema(description: string, example: string): Schema {
  return { type: 'string', description, examples: [example] };
}

/** A whole number from 0 on. */
export function countSchema(description: string, example = 12): Schema {
  return { type: 'integer', minimum: 0, description, examples: [example] };
}

/** A text, or null: by default in the example, too. */
export function textOrNull(description: string, example: string | null = null): Schema {
  return { type: ['string', 'null'], description, examples: [example] };
}

/** A time in ISO 8601, or null. */
export function timeOrNull(description: string): Schema {
  return { type: ['string', 'null'], format: 'date-time', description, examples: [null] };
}

/** An id like `page_12`. */
export function idSchema(prefix: IdPrefix, description: string): Schema {
  return { ...textSchema(description, `${prefix}_12`), pattern: `^${prefix}_[1-9][0-9]*$` };
}

/** Returns the example of a schema, put together from the examples of its required properties; `schemas` are those it refers to. */
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
