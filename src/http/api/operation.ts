import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Scope } from '../../api-keys/scopes.ts';
import type { Db } from '../../db/database.ts';
import type { ValidationError } from '../../errors.ts';
import type { Change } from '../../idempotency/run-once.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import type { ChangeDependencies, UploadDependencies } from './dependencies.ts';
import { type Schema, successSchema } from './json-schema.ts';

/** One input field. The routes read it, and the OpenAPI document describes it. */
export interface FieldSchema {
  readonly description: string;
  /** A field is optional by default. */
  readonly required?: boolean;
  /** The JSON types, or the only number, that are accepted. In a query or form every value is a string. */
  readonly accepts: readonly ('string' | 'number' | 'boolean' | 1)[];
  /** The documented type of the field. */
  readonly type: 'string' | 'boolean';
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly format?: string;
  readonly example: string | boolean;
}

export interface ObjectSchema<Name extends string = string> {
  /** The prefix of the fields: `page` in `page[name]`. */
  readonly object: string;
  /** The name of the object's schema in the OpenAPI document. */
  readonly name: string;
  readonly fields: Readonly<Record<Name, FieldSchema>>;
  /** Set if a request may lack all of the fields. */
  readonly isOptional?: true;
}

/** The fields that a request has sent, as text. */
export type FieldTexts<Name extends string> = { [field in Name]?: string };

type FieldOptions = Pick<FieldSchema, 'required' | 'enum' | 'maxLength' | 'format'>;

/** Returns the schema of a field that takes text. */
export function textField(description: string, example: string, options: FieldOptions = {}): FieldSchema {
  return { type: 'string', accepts: ['string'], description, example, ...options };
}

/** Returns the schema of a field that takes text or, in JSON, also a number. */
export function textOrNumberField(description: string, example: string, options: FieldOptions = {}): FieldSchema {
  return { ...textField(description, example, options), accepts: ['string', 'number'] };
}

/** An operation of the API: its route, and its description in the OpenAPI document and the documentation. */
export type Operation = ReadOperation | ChangeOperation | UploadOperation;

/** An operation with the id in the path of a request. The id is empty if the path has none. */
export interface Addressed<O extends Operation = Operation> {
  readonly operation: O;
  readonly id: string;
}

/** The path of an operation. `{id}` stands for the id of the object that it concerns. */
type Path = `/api/${string}`;

interface Description {
  readonly id: string;
  readonly path: Path;
  readonly tag: string;
  /** The scope that the key needs if it is limited to scopes. */
  readonly scope: Scope;
  readonly summary: string;
  readonly description: string;
  /** The schemas of the answers, and of the objects in them, by name. Tests check every response against them. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /**
   * The answers specific to this operation, with their statuses. A read may have several successful ones, for different
   * query parameters.
   */
  readonly answers: readonly OperationResponse[];
  /** Returns the size in bytes of the stored texts that the operation works on. Large ones are processed in another thread. */
  readonly countTexts?: (db: Db, keyOwner: KeyOwner, id: string) => Promise<number>;
}

export interface OperationResponse {
  readonly status: number;
  /** The name of the response's schema. */
  readonly schema: string;
  readonly description: string;
  /** An example, if the one made from the schema is not suitable. */
  readonly example?: unknown;
  /**
   * The query parameters of the requests that get this response: which are required and which optional. Undefined for
   * requests without parameters.
   */
  readonly parameters?: Readonly<Record<string, 'required' | 'optional'>>;
}

export interface ReadOperation extends Description {
  readonly method: 'GET';
  /** The type of a successful response that is not JSON. It is written while it is read, and has no ETag. */
  readonly contentType?: 'text/csv';
  /** The schemas of the optional query parameters, by name. */
  readonly queryParameters?: Readonly<Record<string, Schema>>;
  /** The names of headers that a successful response has in addition to those of every read. */
  readonly headers?: readonly string[];
  readonly handler: (dependencies: ChangeDependencies) => OperationHandler;
}

/** Handles an authorized request. `id` is the id in the path as it was sent, or empty if the path has none. */
export type OperationHandler = (
  ctx: RequestContext,
  keyOwner: KeyOwner,
  id: string,
) => HttpResponse | Promise<HttpResponse>;

/** An operation that takes a file as its body, or in a multipart form. */
export interface UploadOperation extends Description {
  readonly method: 'POST';
  /** The optional fields besides the file, in the query or the form. */
  readonly upload: ObjectSchema;
  readonly handler: (dependencies: UploadDependencies) => OperationHandler;
}

export interface ChangeRequest<Name extends string = string> {
  readonly fields: Readonly<FieldTexts<Name>>;
  readonly keyOwner: KeyOwner;
  readonly ctx: RequestContext;
  readonly dependencies: ChangeDependencies;
  /** See `OperationHandler`. */
  readonly id: string;
  readonly body: Buffer | undefined;
}

export interface ChangeOperation<Name extends string = string> extends Description {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** The fields. Undefined for a change without fields, for which no body is read. */
  readonly input?: ObjectSchema<Name>;
  /** The JSON document that is the body. The fields are then read from the query only. */
  readonly document?: JsonDocument;
  /** Returns whether the request changes nothing. Its answer is then not stored for its idempotency key. */
  readonly isDryRun?: (fields: Readonly<FieldTexts<Name>>) => boolean;
  /** Set if an `If-Match` that names an earlier state makes the request fail. */
  readonly isConditional?: true;
  /** The optional fields that an example request includes. */
  readonly exampleFields?: readonly NoInfer<Name>[];
  /**
   * The prefix of the id of the created object. The change returns the id, alone or as the property `id`. The answer
   * includes it if the client prefers a representation.
   */
  readonly idPrefix?: 'page_' | 'account_' | 'redirect_';
  /** Returns further properties of the answer from the result of the change. */
  readonly answerOf?: (result: unknown) => object;
  /**
   * Like `answerOf`, without secrets. Its result is stored for retries with the same idempotency key. `answerOf` by default.
   */
  readonly storedAnswerOf?: (result: unknown) => object;
  /** The value of `errors` on success, if it is not an empty list. */
  readonly noErrors?: null;
  /**
   * The value of `errors` for a malformed request, if the API's specification fixes it. By default the message says how to
   * send the fields.
   */
  readonly malformedMessage?: string;
  /** Returns the value of `errors` for a request that breaks rules, if it is not pairs of field and message. */
  readonly present?: (error: ValidationError) => unknown;
  /**
   * The operation's name in the fingerprints of idempotency keys. It must never change: a request sent before an update must
   * match its retry.
   */
  readonly fingerprintName: string;
  /** Checks the request and prepares the change. Returns a function that writes it. */
  prepare(request: ChangeRequest<Name>): Promise<Change>;
  /** Set if the change queues mail. */
  readonly sendsMail?: true;
}

/** A document that is the body of a request. */
export interface JsonDocument {
  /** The name of the document's schema, which is an object. */
  readonly schema: string;
  readonly description: string;
  readonly example: object;
  /** The kinds of files that may be the body instead, by their media types. */
  readonly files?: Readonly<Record<string, { readonly description: string; readonly example: string }>>;
  /**
   * Returns whether processing may take minutes. It then runs in a thread for long work, one request of an account at a
   * time.
   */
  readonly takesMinutes?: (ctx: RequestContext) => boolean;
  /** Returns whether images are fetched from another system. */
  readonly fetchesImages?: (ctx: RequestContext) => boolean;
}

/** Returns the read operation at an address like `GET /api/pages.json`. */
export function readOperation(
  address: `GET ${Path}`,
  operation: Omit<ReadOperation, 'method' | 'path'>,
): ReadOperation {
  return { ...parseAddress(address), ...operation };
}

/**
 * Returns the change operation at an address like `POST /api/pages.json`. Its answers may use the schema `Success`. The type
 * of `input` determines the field names that `prepare` gets.
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
