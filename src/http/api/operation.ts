import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Scope } from '../../api-keys/scopes.ts';
import type { Db } from '../../db/database.ts';
import type { ValidationError } from '../../errors.ts';
import type { Change } from '../../idempotency/run-once.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import type { ChangeDependencies, UploadDependencies } from './dependencies.ts';
import { type Schema, successSchema } from './json-schema.ts';

/** One input field: read by the routes, described by the OpenAPI document. */
export interface FieldSchema {
  readonly description: string;
  /** A field is optional by default. */
  readonly required?: boolean;
  /** The JSON types, or the one number, it may have; in a query or form everything is a string. */
  readonly accepts: readonly ('string' | 'number' | 'boolean' | 1)[];
  /** The type of the field in the interface. */
  readonly type: 'string' | 'boolean';
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly format?: string;
  readonly example: string | boolean;
}

export interface ObjectSchema<Name extends string = string> {
  /** The prefix of its fields: `page` in `page[name]`. */
  readonly object: string;
  /** The name of its schema in the OpenAPI document. */
  readonly name: string;
  readonly fields: Readonly<Record<Name, FieldSchema>>;
  /** Whether a request without any of the fields is one, too. */
  readonly isOptional?: true;
}

/** The fields of a request as text, without those that were not sent. */
export type FieldTexts<Name extends string> = { [field in Name]?: string };

type FieldOptions = Pick<FieldSchema, 'required' | 'enum' | 'maxLength' | 'format'>;

/** Describes a field that takes text. */
export function textField(description: string, example: string, options: FieldOptions = {}): FieldSchema {
  return { type: 'string', accepts: ['string'], description, example, ...options };
}

/** Describes a field that takes text, and in JSON a number, too. */
export function textOrNumberField(description: string, example: string, options: FieldOptions = {}): FieldSchema {
  return { ...textField(description, example, options), accepts: ['string', 'number'] };
}

/** An operation of the interface: its route, and what the OpenAPI document and the pages made of it say. */
export type Operation = ReadOperation | ChangeOperation | UploadOperation;

/** An operation, and the id of what a request is about; empty where the path has none. */
export interface Addressed<O extends Operation = Operation> {
  readonly operation: O;
  readonly id: string;
}

/** `{id}` stands for the id of what the operation is about. */
type Path = `/api/${string}`;

interface Description {
  readonly id: string;
  readonly path: Path;
  readonly tag: string;
  /** The scope that a key with scopes needs. */
  readonly scope: Scope;
  readonly summary: string;
  readonly description: string;
  /** The schemas of its answers by their names, and of the objects in them. Tests check every response against them. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /**
   * The answers of this operation alone, with the status of each. A read may have several of its success, for requests with other
   * query parameters.
   */
  readonly answers: readonly OperationResponse[];
  /** Returns the bytes of the stored texts that it works on: where they are many, it is done in another thread. */
  readonly countTexts?: (db: Db, caller: KeyOwner, id: string) => Promise<number>;
}

export interface OperationResponse {
  readonly status: number;
  /** The name of its schema. */
  readonly schema: string;
  readonly description: string;
  /** An example, if the schema's own does not serve. */
  readonly example?: unknown;
  /** The query parameters of the requests that get it, by whether these must have them; undefined for those without parameters. */
  readonly parameters?: Readonly<Record<string, 'required' | 'optional'>>;
}

export interface ReadOperation extends Description {
  readonly method: 'GET';
  /** The type of a success that is no JSON. It is written as it is read, and has no ETag. */
  readonly contentType?: 'text/csv';
  /** The schemas of its optional query parameters, by their names. */
  readonly queryParameters?: Readonly<Record<string, Schema>>;
  /** The names of headers that its success has beside those of every read. */
  readonly headers?: readonly string[];
  readonly handler: (dependencies: ChangeDependencies) => OperationHandler;
}

/** `id` is the one in the path as it was sent; empty where the path has none. */
export type OperationHandler = (
  ctx: RequestContext,
  caller: KeyOwner,
  id: string,
) => HttpResponse | Promise<HttpResponse>;

/** Takes a file as its body, or in a multipart form. */
export interface UploadOperation extends Description {
  readonly method: 'POST';
  /** The fields besides the file, in the query or the form: all of them are optional. */
  readonly upload: ObjectSchema;
  readonly handler: (dependencies: UploadDependencies) => OperationHandler;
}

export interface ChangeRequest<Name extends string = string> {
  readonly fields: Readonly<FieldTexts<Name>>;
  readonly caller: KeyOwner;
  readonly ctx: RequestContext;
  readonly dependencies: ChangeDependencies;
  /** See `OperationHandler`. */
  readonly id: string;
  readonly body: Buffer | undefined;
}

export interface ChangeOperation<Name extends string = string> extends Description {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Undefined for a change without fields: no body is read then. */
  readonly input?: ObjectSchema<Name>;
  /** The JSON document that is its body: the fields are in the query alone then. */
  readonly document?: JsonDocument;
  /** Whether such a request changes nothing: its answer is not stored for its idempotency key. */
  readonly isDryRun?: (fields: Readonly<FieldTexts<Name>>) => boolean;
  /** Whether it may be refused for an `If-Match` that names an earlier state. */
  readonly isConditional?: true;
  /** The optional fields that an example request sends along with the required ones. */
  readonly exampleFields?: readonly NoInfer<Name>[];
  /**
   * The prefix of the created thing's id. The change returns the id, alone or as `id`. The answer has it if the client prefers a
   * representation.
   */
  readonly idPrefix?: 'page_' | 'account_' | 'redirect_';
  /** Returns the answer's other properties, made of the result of its change. */
  readonly answerOf?: (result: unknown) => object;
  /** Like `answerOf`, without secrets: it is stored for retries with the same idempotency key. By default, that is `answerOf`. */
  readonly keptAnswerOf?: (result: unknown) => object;
  /** `errors` of a success, if it is not an empty list. */
  readonly noErrors?: null;
  /** `errors` of a request that cannot be understood, where the interface fixes it. Otherwise it says how fields are sent. */
  readonly malformedMessage?: string;
  /** Returns `errors` of a request that breaks rules, if they are not pairs of field and message. */
  readonly present?: (error: ValidationError) => unknown;
  /** The name by which idempotency keys know it: requests that were sent before an update must still find it. */
  readonly fingerprintName: string;
  /** Checks and computes, and returns what changes the data. */
  prepare(request: ChangeRequest<Name>): Promise<Change>;
  /** Whether it queues mail. */
  readonly sendsMail?: true;
}

/** A document that is the body of a request. */
export interface JsonDocument {
  /** The name of its schema, an object. */
  readonly schema: string;
  readonly description: string;
  readonly example: object;
  /** The files that may be the body instead, by their types. */
  readonly files?: Readonly<Record<string, { readonly description: string; readonly example: string }>>;
  /** Whether the work on it may take minutes: it is done in a thread for such work, one of an account at a time. */
  readonly takesMinutes?: (ctx: RequestContext) => boolean;
  /** Whether that is since images are fetched from another system. */
  readonly fetchesImages?: (ctx: RequestContext) => boolean;
}

/** Returns the operation of an address like `GET /api/pages.json`. */
export function readOperation(
  address: `GET ${Path}`,
  operation: Omit<ReadOperation, 'method' | 'path'>,
): ReadOperation {
  return { ...parseAddress(address), ...operation };
}

/**
 * Returns the operation of an address like `POST /api/pages.json`, which may answer with `Success`. Its input's schema gives the
 * fields that it prepares their names.
 */
export function changeOperation<Name extends string>(
  address: `${ChangeOperation['method']} ${Path}`,
  {
    schemas,
    ...operation
  }: Omit<ChangeOperation<Name>, 'method' | 'path' | 'schemas'> & Partial<Pick<ChangeOperation, 'schemas'>>,
): ChangeOperation {
  return { ...parseAddress(address), ...operation, schemas: { Success: successSchema, ...schemas } };
}

function parseAddress<Method extends string>(address: `${Method} ${Path}`): { method: Method; path: Path } {
  const [method, path] = address.split(' ') as [Method, Path];
  return { method, path };
}
