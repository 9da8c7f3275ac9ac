import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../errors.ts';
import type { HttpResponse, RequestContext } from '../../request-context.ts';
import { answerChange } from '../change.ts';
import type { ChangeDependencies } from '../dependencies.ts';
import { fieldSchema } from '../field-schema.ts';
import type {
  Addressed,
  ChangeOperation,
  FieldSchema,
  Operation,
  OperationHandler,
  ReadOperation,
} from '../operation.ts';
import { required, type Tool, type ToolCall, type ToolParameter, type ToolParameters, textParameter } from './tool.ts';

interface OperationToolOptions {
  readonly name: string;
  readonly effect: Tool['effect'];
  /** The name of the argument for the id in the path. */
  readonly id?: string;
}

/** Returns a tool that calls an operation of the API, with the operation's schemas, checks, limits and texts. */
export function operationTool(
  operation: ReadOperation | ChangeOperation,
  { name, effect, id = '' }: OperationToolOptions,
): Tool {
  const { countTexts, scope, summary, description } = operation;
  // The handlers of reads by their dependencies, because each handler has a cache.
  const handlers = new WeakMap<ChangeDependencies, OperationHandler>();
  return {
    name,
    effect,
    scope,
    title: summary,
    description,
    parameters: parametersOf(operation, id),
    ...(countTexts && { countTexts: ({ db }, { keyOwner, args }) => countTexts(db, keyOwner, args[id] ?? '') }),
    run: async (dependencies, call) => {
      const { [id]: text = '', ...args } = call.args;
      if ('prepare' in operation) return changeBy(dependencies, call, { operation, id: text }, args);
      const handle = handlers.getOrInsertComputed(dependencies, () => operation.handler(dependencies));
      return readBy(handle, call, text, args);
    },
  };
}

function parametersOf(operation: Operation, id: string): ToolParameters {
  const ofPath = id === '' ? [] : [[id, required(textParameter(`The ${id}.`))]];
  const ofQuery = Object.entries(('queryParameters' in operation && operation.queryParameters) || {}).map(
    ([name, schema]) => [name, { schema }],
  );
  const fields = 'input' in operation ? operation.input?.fields : undefined;
  return { ...Object.fromEntries([...ofPath, ...ofQuery]), ...fieldParameters(fields ?? {}) };
}

/** Returns the parameters for fields of the API's requests. */
export function fieldParameters<N extends string>(
  fields: Readonly<Record<N, FieldSchema>>,
): Readonly<Record<N, ToolParameter>> {
  const all = Object.entries<FieldSchema>(fields);
  const parameters = all.map(([name, field]) => [name, { required: field.required, schema: fieldSchema(field) }]);
  return Object.fromEntries(parameters) as Record<N, ToolParameter>;
}

async function readBy(
  handle: OperationHandler,
  { ctx, keyOwner }: ToolCall,
  id: string,
  args: Readonly<Record<string, string | undefined>>,
): Promise<object> {
  const given = Object.entries(args).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const inner = { ...innerRequest(ctx, 'GET', {}), query: new URLSearchParams(given).toString() };
  return contentOf(await handle(inner, keyOwner, id));
}

async function changeBy(
  dependencies: ChangeDependencies,
  { ctx, keyOwner }: ToolCall,
  addressed: Addressed<ChangeOperation>,
  args: Readonly<Record<string, string | undefined>>,
): Promise<object> {
  const { input } = addressed.operation;
  const body = input && Buffer.from(JSON.stringify({ [input.object]: args }));
  const inner = innerRequest(ctx, addressed.operation.method, { 'content-type': 'application/json' });
  return contentOf(await answerChange(dependencies, inner, keyOwner, addressed, body));
}

/** Returns the API request that the call stands for. The key of the message has already been checked. */
function innerRequest(ctx: RequestContext, method: string, headers: IncomingMessage['headers']): RequestContext {
  const request = { method, headers, rawHeaders: [] } satisfies Partial<IncomingMessage>;
  return { ...ctx, query: '', request: request as unknown as IncomingMessage };
}

/** Returns the JSON of an answer. @throws AppError with the message of an answer that is a refusal */
function contentOf({ status, body }: HttpResponse): object {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) throw new Error('No answer to a tool is streamed.');
  const text = typeof body === 'string' ? Buffer.from(body, 'latin1').toString() : body.toString();
  const content = JSON.parse(text);
  if (status < 400) return content;
  throw new AppError('invalid', wordsOf(content.errors));
}

/** Returns the `errors` of an answer as one text. They are a sentence, sentences, or pairs of field and message. */
export function wordsOf(errors: string | readonly (string | readonly [string, string])[]): string {
  if (typeof errors === 'string') return errors;
  return `${errors.map((error) => (typeof error === 'string' ? error : error.join(' '))).join('; ')}.`;
}
