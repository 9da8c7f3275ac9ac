import { fieldSchema } from './field-schema.ts';
import type { Parameter } from './header-parameters.ts';
import { ref, type Schema } from './json-schema.ts';
import type {
  ChangeOperation,
  FieldSchema,
  JsonDocument,
  ObjectSchema,
  Operation,
  ReadOperation,
} from './operation.ts';

/*
 * The parameters and bodies of requests in the OpenAPI document.
 */

/** Returns the parameters of an operation, except its id. */
export function parametersOf(operation: Operation) {
  if ('upload' in operation) return queryParameters(operation.upload);
  if (operation.method === 'GET') {
    return [...readParameters(operation), ...(operation.contentType ? [] : [component('parameters', 'If-None-Match')])];
  }
  return changeParameters(operation);
}

function changeParameters({ input, isConditional, idPrefix }: ChangeOperation) {
  return [
    ...(input ? queryParameters(input) : []),
    component('parameters', 'Idempotency-Key'),
    ...(idPrefix ? [component('parameters', 'Prefer')] : []),
    ...(isConditional ? [component('parameters', 'If-Match')] : []),
  ];
}

function readParameters({ queryParameters = {} }: ReadOperation): Parameter[] {
  return Object.entries(queryParameters).map(([name, schema]) => ({
    name,
    in: 'query',
    description: schema.description ?? '',
    required: false,
    schema,
  }));
}

function queryParameters({ object, fields }: ObjectSchema): Parameter[] {
  return Object.entries(fields).map(([name, field]) => ({
    name: `${object}[${name}]`,
    in: 'query',
    description: field.required ? `${field.description} Required, here or in the body.` : field.description,
    // A required field may be sent in the body instead.
    required: false,
    schema: fieldSchema(field),
    example: field.example,
  }));
}

/** Returns the member `requestBody` of an operation, or no member if it takes no body. */
export function bodyOf(operation: Operation) {
  if ('upload' in operation) return { requestBody: fileBody(operation.upload) };
  if ('document' in operation && operation.document) return { requestBody: documentBody(operation.document) };
  return 'input' in operation && operation.input ? { requestBody: fieldsBody(operation, operation.input) } : {};
}

function fieldsBody(operation: ChangeOperation, input: ObjectSchema) {
  const { object } = input;
  const bracketed = inputSchema(input, (name) => `${object}[${name}]`);
  const fields = exampleInput(operation);
  const flat = Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${object}[${name}]`, value]));
  const required = input.isOptional ? [] : [object];
  const json: Schema = { type: 'object', required, properties: { [object]: ref(input.name) } };
  return {
    required: false as const,
    description:
      'The same fields as in the query, for texts that do not fit into a URL. If a field is in both, the body wins.',
    content: {
      'application/x-www-form-urlencoded': { schema: bracketed, example: flat },
      'multipart/form-data': { schema: bracketed, example: flat },
      'application/json': { schema: json, example: { [object]: fields } },
    },
  };
}

function documentBody({ schema, description, example, files = {} }: JsonDocument) {
  const others = Object.entries(files).map(([type, file]) => {
    const bytes: Schema = { type: 'string', format: 'binary', description: file.description };
    return [type, { schema: bytes, example: file.example }];
  });
  return {
    required: false as const,
    description,
    content: { 'application/json': { schema: ref(schema), example }, ...Object.fromEntries(others) },
  };
}

const FILE_URL = 'https://example.com/photo.jpg';

/**
 * Describes the body of an upload: the file itself, a form with the file, or only the fields, one of which may be the file's
 * URL.
 */
function fileBody(upload: ObjectSchema) {
  const file: Schema = {
    type: 'string',
    format: 'binary',
    description: 'The file, in a form, or its bytes as the body.',
  };
  const name = `${upload.object}[file]`;
  const bracketed = inputSchema(upload, (field) => `${upload.object}[${field}]`);
  const form: Schema = { type: 'object', required: [name], properties: { [name]: file, ...bracketed.properties } };
  return {
    required: false as const,
    description: 'The bytes of the file, a form with the file, or only the fields, with the address of a file.',
    content: {
      'application/octet-stream': { schema: file, example: '(the bytes of photo.jpg)' },
      'multipart/form-data': { schema: form, example: { [name]: '(the bytes of photo.jpg)' } },
      'application/x-www-form-urlencoded': { schema: bracketed, example: { [`${upload.object}[url]`]: FILE_URL } },
      'application/json': {
        schema: { type: 'object', properties: { [upload.object]: inputSchema(upload, (field) => field) } },
        example: { [upload.object]: { url: FILE_URL } },
      },
    },
  };
}

/** Returns the fields of an example request, chosen so that it succeeds on any account. */
export function exampleInput({ input, exampleFields = [] }: ChangeOperation): Record<string, string> {
  const chosen = Object.entries<FieldSchema>(input?.fields ?? {}).filter(
    ([name, { required }]) => required || exampleFields.includes(name),
  );
  return Object.fromEntries(chosen.map(([name, { example }]) => [name, String(example)]));
}

/** Returns the schema of an object's fields, under the names that `nameOf` returns. */
export function inputSchema({ fields }: ObjectSchema, nameOf: (name: string) => string): Schema {
  const entries = Object.entries<FieldSchema>(fields);
  return {
    type: 'object',
    required: entries.filter(([, { required }]) => required).map(([name]) => nameOf(name)),
    properties: Object.fromEntries(entries.map(([name, field]) => [nameOf(name), fieldSchema(field)])),
  };
}

/** Returns a reference to a component that operations share. */
export function component(kind: 'parameters' | 'responses', name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}
