import { resolveRef } from './openapi-answers.ts';

/** The OpenAPI document as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON.
type Json = any;

/** Marks a field that a request must have. */
export const REQUIRES = ' requires ';

/**
 * Returns what programs rely on in the API, one line each: operations, their inputs, required inputs, and members of answers.
 * A removed line breaks programs, and so does a new line with a required input.
 */
export function apiFacts(document: Json): string[] {
  const facts = new Set<string>();
  for (const [path, methods] of Object.entries<Json>(document.paths)) {
    for (const [method, operation] of Object.entries<Json>(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      facts.add(name);
      addInputs(facts, document, name, operation);
      for (const [status, unresolved] of Object.entries<Json>(operation.responses)) {
        if (!status.startsWith('2')) continue;
        for (const [type, { schema }] of Object.entries<Json>(resolveRef(document, unresolved).content ?? {})) {
          facts.add(`${name} answers ${status} ${type}`);
          const add = (place: string, { schema, isRequired }: Member) => {
            // Programs cannot rely on an optional member.
            if (isRequired) facts.add(`${name} answers${place}: ${typeOf(schema)}`);
          };
          walk(document, schema, add);
        }
      }
    }
  }
  return [...facts].sort();
}

function addInputs(facts: Set<string>, document: Json, name: string, { parameters = [], requestBody }: Json): void {
  for (const unresolved of parameters) {
    const { in: where, name: parameter, required, schema } = resolveRef(document, unresolved);
    if (where === 'path') continue;
    addInput(facts, `${name} takes ${where} ${parameter}`, resolveRef(document, schema));
    if (required) facts.add(`${name}${REQUIRES}${where} ${parameter}`);
  }
  for (const [type, { schema }] of Object.entries<Json>(resolveRef(document, requestBody ?? {}).content ?? {})) {
    facts.add(`${name} takes ${type}`);
    // Forms have the same fields as the query, which are covered already.
    if (type !== 'application/json') continue;
    walk(document, schema, (place, { schema: member, isRequired }) => {
      addInput(facts, `${name} takes ${type}${place}`, member);
      if (isRequired) facts.add(`${name}${REQUIRES}${type}${place}`);
    });
  }
}

/** Adds the facts of an input. Values of an enum are listed, since new values may be added but none removed. */
function addInput(facts: Set<string>, input: string, schema: Json): void {
  if (!schema.enum) facts.add(`${input}: ${typeOf(schema)}`);
  for (const value of schema.enum ?? []) facts.add(`${input} = ${JSON.stringify(value)}`);
}

interface Member {
  readonly schema: Json;
  readonly isRequired: boolean;
}

/** Calls back for each member of a schema, nested ones included. A recursive schema is walked once. */
function walk(
  document: Json,
  unresolved: Json,
  add: (place: string, member: Member) => void,
  { place = '', within = new Set<Json>() }: { place?: string; within?: ReadonlySet<Json> } = {},
): void {
  const schema = resolveRef(document, unresolved);
  if (within.has(schema)) return;
  const inside = new Set(within).add(schema);
  for (const one of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
    walk(document, one, add, { place, within: inside });
  if (schema.items) walk(document, schema.items, add, { place: `${place}[]`, within: inside });
  for (const [name, property] of Object.entries<Json>(schema.properties ?? {})) {
    const at = place === '' ? ` ${name}` : `${place}.${name}`;
    add(at, {
      schema: resolveRef(document, property),
      isRequired: schema.required?.includes(name) ?? false,
    });
    walk(document, property, add, { place: at, within: inside });
  }
}

function typeOf({ type, enum: values, const: value, oneOf }: Json): string {
  if (values) return [...values].map((one) => JSON.stringify(one)).join(' | ');
  if (value !== undefined) return JSON.stringify(value);
  if (oneOf) return 'one of several';
  return [type ?? 'anything'].flat().sort().join(' | ');
}
