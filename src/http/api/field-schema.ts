import type { Schema } from './json-schema.ts';
import type { FieldSchema } from './operation.ts';

/** Returns the JSON Schema of a field, for the OpenAPI document and MCP tools. */
export function fieldSchema({ type, description, example, ...rules }: FieldSchema): Schema {
  return {
    type,
    description,
    // A blank value is accepted, and means that no choice is made.
    ...(rules.enum && { enum: [...rules.enum, ''] }),
    ...(rules.maxLength && { maxLength: rules.maxLength }),
    ...(rules.format && { format: rules.format }),
    examples: [example],
  };
}
