import type { KeyOwner } from '../../../api-keys/find-api-key.ts';
import type { Scope } from '../../../api-keys/scopes.ts';
import { AppError } from '../../../errors.ts';
import type { RequestContext } from '../../request-context.ts';
import type { ChangeDependencies } from '../dependencies.ts';
import type { Schema } from '../json-schema.ts';

/** An action of an assistant: an operation of the API, or a verb that people have in the admin app. */
export interface Tool<P extends ToolParameters = ToolParameters> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  /** Whether it reads, adds something, or replaces or removes what there is. Clients ask their person accordingly. */
  readonly effect: 'reads' | 'adds' | 'replaces';
  readonly parameters: P;
  /** Returns the bytes of the stored texts that it works on: where they are many, it is called in another thread. */
  readonly countTexts?: (dependencies: ChangeDependencies, call: Omit<ToolCall<P>, 'ctx'>) => Promise<number>;
  /** Returns what the assistant is told, as JSON. @throws AppError for what the assistant can be told to do differently */
  readonly run: (dependencies: ChangeDependencies, call: ToolCall<P>) => Promise<object>;
}

export type ToolParameters = Readonly<Record<string, ToolParameter>>;

export interface ToolParameter {
  readonly schema: Schema;
  /** A parameter is optional by default. */
  readonly required?: boolean;
}

export interface ToolCall<P extends ToolParameters = ToolParameters> {
  readonly ctx: RequestContext;
  readonly caller: KeyOwner;
  readonly args: Arguments<P>;
}

/** The arguments as text, as the fields of the API's requests are. */
export type Arguments<P extends ToolParameters> = {
  readonly [N in keyof P as P[N]['required'] extends true ? N : never]: string;
} & { readonly [N in keyof P as P[N]['required'] extends true ? never : N]?: string };

/** Returns the tool: its parameters give the arguments of its functions their names. */
export function tool<const P extends ToolParameters>(definition: Tool<P>): Tool {
  return definition as unknown as Tool;
}

/** Describes a parameter that takes text. */
export function textParameter(description: string, options: Pick<Schema, 'maxLength'> = {}): ToolParameter {
  return { schema: { type: 'string', ...options, description } };
}

/** Describes a parameter that takes a whole number. */
export function numberParameter(description: string, options: Pick<Schema, 'minimum'> = {}): ToolParameter {
  return { schema: { type: 'integer', ...options, description } };
}

export function required(parameter: ToolParameter): ToolParameter & { readonly required: true } {
  return { ...parameter, required: true };
}

/** Longer names of arguments are not repeated in errors. */
const MAX_REPEATED_CHARACTERS = 50;

/** Returns the arguments of a call. @throws AppError `malformed` for unknown and missing ones, and for lists and objects */
export function readArguments({ name: toolName, parameters }: Tool, given: unknown): Arguments<ToolParameters> {
  const known = Object.keys(parameters);
  const args: Record<string, string> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (!known.includes(name)) {
      const unknown = name.slice(0, MAX_REPEATED_CHARACTERS);
      throw new AppError('malformed', `${toolName} takes no "${unknown}". It takes: ${known.join(', ') || 'nothing'}.`);
    }
    if (value === null) continue;
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw new AppError('malformed', `"${name}" must be one text, number, or true or false.`);
    }
    args[name] = String(value);
  }
  const missing = known.filter((name) => parameters[name]!.required && args[name] === undefined);
  if (missing.length > 0) throw new AppError('malformed', `${toolName} needs ${missing.join(', ')}.`);
  return args as Arguments<ToolParameters>;
}

/** Reads a whole number. @throws AppError `malformed` */
export function readNumber(
  name: string,
  text: string | undefined,
  { min, max, otherwise }: { min: number; max: number; otherwise: number },
): number {
  const number = text === undefined ? otherwise : Number(text);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new AppError('malformed', `"${name}" must be a whole number from ${min} to ${max}.`);
}
