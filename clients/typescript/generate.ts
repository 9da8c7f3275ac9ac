import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureSchema, refusedSchema, type Schema } from '../../src/http/api/json-schema.ts';
import type { FieldSchema, ObjectSchema, Operation, OperationResponse } from '../../src/http/api/operation.ts';
import { operations } from '../../src/http/api/operations.ts';

/* Writes the types and routes of the client from the tables by which the service reads requests: `npm run generate`. */

export const generatedFile = join(import.meta.dirname, 'src/api.ts');

if (import.meta.main) writeFileSync(generatedFile, generate());

/** Returns the text of `src/api.ts`. */
export function generate(): string {
  const schemas: Readonly<Record<string, Schema>> = Object.assign(
    { Failure: failureSchema, Refused: refusedSchema },
    ...operations.map((operation) => operation.schemas),
  );
  const used = new Set<string>();
  const methods = operations.map((operation) => methodOf(operation, schemas, used));
  // A type may refer to others.
  for (const name of used) typeOf(schemas[name]!, used);
  const types = [...used].sort().map((name) => `export interface ${name} ${typeOf(schemas[name]!, used)}`);
  return `// Made by generate.ts from the tables of the service. Do not edit.

import type { CallOptions, Route } from './route.ts';

/** What the service can do. Each method is one operation of its API. */
export interface Operations {
${methods.join('\n')}
}

${types.join('\n\n')}

export const routes: Readonly<Record<keyof Operations, Route>> = {
${operations.map(routeOf).join('\n')}
};
`;
}

function methodOf(operation: Operation, schemas: Readonly<Record<string, Schema>>, used: Set<string>): string {
  const input = inputOf(operation, schemas, used);
  const successes = operation.answers.filter(({ status }) => status === 200);
  if (successes.length === 1) return signatureOf(operation, input, answerOf(operation, successes[0]!, schemas, used));
  // The compiler takes the first that fits: the one without parameters comes last.
  const overloads = successes.toReversed().map((success) => {
    const { parameters = {} } = success;
    const members = input.flatMap(([name, type, , description]): Member[] =>
      parameters[name] ? [[name, type, parameters[name] === 'required', description]] : [],
    );
    return signatureOf(operation, members, answerOf(operation, success, schemas, used), true);
  });
  return overloads.join('\n');
}

/** An overload has only the parameters of its own answer. */
function signatureOf(operation: Operation, input: readonly Member[], answer: string, isOverload = false): string {
  const members = input.map(([name, type, isRequired, description]) => {
    return `    /** ${description} */\n    ${name}${isRequired ? '' : '?'}: ${type};`;
  });
  const isOptional = !isOverload && input.every(([, , isRequired]) => !isRequired);
  const none = isOverload ? 'input?: undefined' : 'input?: object';
  const parameter = input.length === 0 ? none : `input${isOptional ? '?' : ''}: {\n${members.join('\n')}\n  }`;
  return `  /** ${operation.description} */
  ${operation.id}(${parameter}, options?: CallOptions): Promise<${answer}>;`;
}

type Member = [name: string, type: string, isRequired: boolean, description: string];

function inputOf(operation: Operation, schemas: Readonly<Record<string, Schema>>, used: Set<string>): Member[] {
  const id: Member[] = operation.path.includes('{id}') ? [['id', 'string', true, 'Which one, by its id.']] : [];
  if ('upload' in operation) {
    return [['file', 'Blob', false, 'The image. Or send `url`.'], ...fieldsOf(operation.upload)];
  }
  if (operation.method === 'GET') {
    const parameters = Object.entries(operation.queryParameters ?? {});
    return [
      ...id,
      ...parameters.map(([name, schema]): Member => [name, queryType(schema), false, schema.description ?? '']),
    ];
  }
  const document = operation.document && schemas[operation.document.schema]!;
  const members = Object.entries(document?.properties ?? {}).map(([name, schema]): Member => {
    return [name, typeOf(schema, used), document?.required?.includes(name) ?? false, schema.description ?? ''];
  });
  return [...id, ...members, ...(operation.input ? fieldsOf(operation.input) : [])];
}

function queryType({ enum: values }: Schema): string {
  return values ? union(values) : 'string | number';
}

function fieldsOf({ fields }: ObjectSchema): Member[] {
  return Object.entries<FieldSchema>(fields).map(([name, field]) => {
    const types =
      field.enum && field.type === 'string' ? union(field.enum) : [...new Set(field.accepts.map(String))].join(' | ');
    return [name, types, field.required === true, field.description];
  });
}

/** Of a change, what the answer has besides its success. */
function answerOf(
  operation: Operation,
  { schema }: OperationResponse,
  schemas: Readonly<Record<string, Schema>>,
  used: Set<string>,
): string {
  if (operation.method === 'GET') return operation.contentType ? 'string' : typeOf({ $ref: schema }, used);
  const { response: _, errors: __, ...rest } = schemas[schema]!.properties!;
  const names = Object.keys(rest);
  // The client always asks for the id of what is created.
  const required = operation.method === 'POST' && 'idPrefix' in operation ? names : (schemas[schema]!.required ?? []);
  return names.length === 0 ? 'void' : typeOf({ type: 'object', required: required, properties: rest }, used);
}

function typeOf(schema: Schema, used: Set<string>): string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)!;
    used.add(name);
    return name;
  }
  if (schema.enum) return union(schema.enum);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.oneOf) return schema.oneOf.map((one) => typeOf(one, used)).join(' | ');
  if (schema.prefixItems) return `[${schema.prefixItems.map((item) => typeOf(item, used)).join(', ')}]`;
  const types = [schema.type ?? 'unknown'].flat();
  return types.map((type) => typeNamed(type, schema, used)).join(' | ');
}

function typeNamed(type: string, schema: Schema, used: Set<string>): string {
  if (type === 'integer') return 'number';
  if (type === 'array') {
    const item = schema.items ? typeOf(schema.items, used) : 'unknown';
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (type !== 'object') return type;
  if (!schema.properties) return 'Record<string, unknown>';
  const members = Object.entries(schema.properties).map(([name, property]) => {
    const isRequired = schema.required?.includes(name);
    return `  /** ${(property.description ?? '').replace(', if it was asked for', '')} */\n  ${name}${isRequired ? '' : '?'}: ${typeOf(property, used)};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

function union(values: readonly unknown[]): string {
  return values.map((value) => (value === null ? 'null' : `'${value}'`)).join(' | ');
}

function routeOf(operation: Operation): string {
  const { id, method, path } = operation;
  const object =
    'upload' in operation ? operation.upload.object : operation.method === 'GET' ? undefined : operation.input?.object;
  const parts = [`method: '${method}'`, `path: '${path}'`];
  if (object) parts.push(`object: '${object}'`);
  if ('upload' in operation) parts.push('isUpload: true');
  if ('document' in operation && operation.document) {
    const { properties = {} } = operation.schemas[operation.document.schema]!;
    parts.push(`document: ['${Object.keys(properties).join("', '")}']`);
  }
  if ('contentType' in operation && operation.contentType) parts.push('isText: true');
  if ('idPrefix' in operation && operation.idPrefix) parts.push('hasId: true');
  return `  ${id}: { ${parts.join(', ')} },`;
}
