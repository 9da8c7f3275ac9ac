import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import type { KeyOwner } from '../api-keys/find-api-key.ts';
import type { Trace } from '../trace.ts';
import type { SessionOwner } from '../users/sessions.ts';

/** One request as the handlers see it. */
export interface RequestContext {
  readonly request: IncomingMessage;
  /** The request's id in the response and in the log. */
  readonly id: string;
  /** The trace of the request. Mail and events that the request causes continue it. */
  readonly trace: Trace;
  /** The path as sent, without the query. */
  readonly path: string;
  /** The query as sent, without the question mark. It may contain a key or a password: never log it. */
  readonly query: string;
  /** The client's IP address; empty if the connection was reset before it could be read. */
  readonly ip: string;
  readonly isHttps: boolean;
  /** Headers to add to the answer, names and values in turn. */
  readonly extraHeaders: string[];
  /** The route, for metrics: its path, or a word for many paths. Empty until a route is found. */
  route: string;
  /** The owner of the API key; undefined until known. */
  keyOwner: KeyOwner | undefined;
  /** The owner of the session; undefined until known. */
  sessionOwner: SessionOwner | undefined;
  /** The agency's own host, if the request was for the admin app there. */
  appHost?: AppHost;
  /** The account whose site was requested; undefined for everything else. */
  siteAccountId: number | undefined;
}

/** An agency's own host, where its customers use the admin app. */
export interface AppHost {
  /** The host in lower case, without a port. */
  readonly host: string;
  /** The agency's account. */
  readonly accountId: number;
  /** The app's URL on this host. It replaces PUBLIC_URL. */
  readonly url: string;
}

export interface HttpResponse {
  readonly status: number;
  /** Names and values in turn, as Node takes them, with Content-Length if the length of the body is known. */
  readonly headers: readonly string[];
  /** A short body should be a byte string (see `byteString`): Node sends it in one piece with the headers. */
  readonly body: string | Buffer | StreamedBody;
}

/** Returns a byte string: the UTF-8 bytes of a text, one character each. Node writes this form fastest. */
export function byteString(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** A response body that is written piece by piece, and held in memory only if it has a `text`. */
export interface StreamedBody {
  /** Writes everything to the target, at the target's pace, and ends it. Rejects if the target closes before the end. */
  sendTo(target: Writable): Promise<void>;
  /** The size in bytes, or undefined if it is not known beforehand. */
  readonly size: number | undefined;
  /** The text that the body is written from. It is in memory until the body has been sent. */
  readonly text?: string;
}

/**
 * Returns the response to a request, or undefined to leave it to the next handler. A handler also turns its errors into
 * responses.
 */
export type RequestHandler = (ctx: RequestContext) => HttpResponse | Promise<HttpResponse> | undefined;
