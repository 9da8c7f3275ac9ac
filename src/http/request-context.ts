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
  /** Mail and events that the request causes continue this trace. */
  readonly trace: Trace;
  /** The path as sent, without the query. */
  readonly path: string;
  /** The query as sent, without the question mark. It may contain a key or a password: never log it. */
  readonly query: string;
  /** The client's address, as far as it can be known. */
  readonly ip: string;
  readonly isHttps: boolean;
  /** Added to the answer, names and values in turn. */
  readonly extraHeaders: string[];
  /** The route, for metrics: its path, or a word for many paths. Empty until one was found. */
  route: string;
  /** The owner of the API key; undefined until known. */
  caller: KeyOwner | undefined;
  /** The owner of the session; undefined until known. */
  person: SessionOwner | undefined;
  /** The host of an agency's own, if the request came there for the admin app. */
  appHost?: AppHost;
  /** The account whose site was requested; undefined for everything else. */
  siteAccountId: number | undefined;
}

/** A host at which the admin app of an agency's customers is. */
export interface AppHost {
  /** In lower case, without a port. */
  readonly host: string;
  /** The agency. */
  readonly accountId: number;
  /** The app's address at this host. It takes the place of PUBLIC_URL. */
  readonly url: string;
}

export interface HttpResponse {
  readonly status: number;
  /** Names and values in turn, as Node takes them, with Content-Length where there is a body of known length. */
  readonly headers: readonly string[];
  /** A short body is best a string of its bytes (see `byteString`): Node sends it in one piece with the headers. */
  readonly body: string | Buffer | StreamedBody;
}

/** Returns the UTF-8 bytes of a text, each as one character: the form that Node writes fastest. */
export function byteString(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** A response body that is not held in memory, unless it has a text. */
export interface StreamedBody {
  /** Writes everything to the target, at its pace, and ends it. Rejects when the target closes before. */
  sendTo(target: Writable): Promise<void>;
  /** In bytes; undefined where it shows only at the end. */
  readonly size: number | undefined;
  /** The text that it is made of, piece by piece. It is in memory until it has been sent. */
  readonly text?: string;
}

/** Returns the response to a request, or undefined to leave it to the next handler. Handlers also turn their errors into responses. */
export type RequestHandler = (ctx: RequestContext) => HttpResponse | Promise<HttpResponse> | undefined;
