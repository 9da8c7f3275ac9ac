import type { KeyOwner } from '../../../api-keys/find-api-key.ts';
import type { Scope } from '../../../api-keys/scopes.ts';
import { AppError } from '../../../errors.ts';
import type { RequestContext } from '../../request-context.ts';
import type { ChangeDependencies } from '../dependencies.ts';
import type { Schema } from '../json-schema.ts';

/** An action for assistants: an operation of the API, or something that users can do in the admin app. */
export interface Tool<P extends ToolParameters = ToolParameters> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  /** The effect of the tool. Clients ask their user for permission accordingly. */
  readonly effect: 'reads' | 'adds' | 'replaces';
  readonly parameters: P;
  /** Returns the size in bytes of the stored texts that the tool works on. Large ones are processed in another thread. */
  readonly countTexts?: (dependencies: ChangeDependencies, call: Omit<ToolCall<P>, 'ctx'>) => Promise<number>;
  /** Returns the answer for the assistant, as JSON. @throws AppError for mistakes that the assistant can correct */
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
  readonly keyOwner: KeyOwner;
  readonly args: Arguments<P>;
}

/** The arguments of a call, as text, like the fields of API requests. */
type Arguments<P extends ToolParameters> = {
  readonly [N in keyof P as P[N]['required'] extends true ? N : never]: string;
} & { readonly [N in keyof P as P[N]['required'] extends true ? never : N]?: string };

/** Returns the definition as a tool. The parameters determine the type of the arguments. */
export function tool<const P extends ToolParameters>(definition: Tool<P>): Tool {
  return definition as unknown as Tool;
}

/** Returns a parameter that takes text. */
export function textParameter(description: string, options: Pick<Schema, 'maxLength'> = {}): ToolParameter {
  return { schema: { type: 'string', ...options, description } };
}

/** Returns a parameter that takes a whole number. */
export function numberParameter(description: string, options: Pick<Schema, 'minimum'> = {}): ToolParameter {
  return { schema: { type: 'integer', ...options, description } };
}

export function required(parameter: ToolParameter): ToolParameter & { readonly required: true } {
  return { ...parameter, required: true };
}

/** The most characters of an unknown argument's name that an error repeats. */
const MAX_REPEATED_CHARACTERS = 50;

/**
 * Returns the arguments of a call as text. @throws AppError `malformed` for unknown or missing arguments, and for lists and
 * objects
 */
export function readArguments({ name: toolName, parameters }: Tool, given: unknown): Arguments<ToolParameters> {
  const known = Object.keys(parameters);
  const args: Record<string, string> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (!known.includes(name)) {
      const unknown = name.slice(0, MAX_REPEATED_CHARACTERS);
      throw new AppError(
        'malformed',
        `${toolName} has no argument "${unknown}". Its arguments: ${known.join(', ') || 'none'}.`,
      );
    }
    if (value === null) continue;
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw new AppError('malformed', `"${name}" must be a text, a number, or true or false.`);
    }
    args[name] = String(value);
  }
  const missing = known.filter((name) => parameters[name]!.required && args[name] === undefined);
  if (missing.length > 0) throw new AppError('malformed', `${toolName} needs ${missing.join(', ')}.`);
  return args as Arguments<ToolParameters>;
}

/** Returns a whole number within the limits. @throws AppError `malformed` */
export function readNumber(
  name: string,
  text: string | undefined,
  { min, max, otherwise }: { min: number; max: number; otherwise: number },
): number {
  const number = text === undefined ? otherwise : Number(text);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new AppError('malformed', `"${name}" must be a whole number from ${min} to ${max}.`);
}
