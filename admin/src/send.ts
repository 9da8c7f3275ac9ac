import { failureOf, isSignedOut, unreachable } from './api-error.ts';
import { takeAsked } from './before-app/asked.ts';
import { isClosing } from './closing.ts';
import { ownerHeader, whileSignedIn } from './signed-in.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface SendOptions {
  /** The version of the page that the change starts from. */
  readonly ifMatch?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Sends it even while the page is being closed; for short bodies. */
  readonly keepalive?: boolean;
  /** A file of CSV that is sent instead of JSON. */
  readonly file?: Blob;
  /** Whether it takes no session. */
  readonly isForAnyone?: boolean;
}

/** Asks the service, and waits for somebody to sign in again where the session has ended. */
export function send<T>(method: Method, path: string, body?: unknown, options: SendOptions = {}): Promise<T> {
  const ask = () => sendOnce<T>(method, path, body, options);
  return options.isForAnyone ? ask() : whileSignedIn(ask, isSignedOut);
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** Asks for what is at the path. Parameters of the query without a value are left out. */
export function get<T>(path: string, { query = {}, ...options }: SendOptions & { query?: Query } = {}): Promise<T> {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return send('GET', given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`, undefined, options);
}

/** Sends a file of CSV. */
export function sendFile<T>(path: string, file: Blob, signal?: AbortSignal): Promise<T> {
  return whileSignedIn(() => sendOnce<T>('POST', path, undefined, { signal, file }), isSignedOut);
}

async function sendOnce<T>(method: Method, path: string, body: unknown, options: SendOptions): Promise<T> {
  const headers = options.isForAnyone ? {} : ownerHeader();
  if (method !== 'GET') headers['Content-Type'] = options.file ? 'text/csv' : 'application/json';
  if (options.ifMatch !== undefined) headers['If-Match'] = `"${options.ifMatch}"`;
  let response: Response;
  try {
    const text = method === 'GET' || options.file ? undefined : JSON.stringify(body ?? {});
    response = await (takeAsked(`/admin/${path}`, text) ??
      fetch(`/admin/${path}`, {
        method,
        headers,
        credentials: 'same-origin',
        // A Blob without a type of its own, which would count for more than the header.
        body: options.file ? new Blob([options.file]) : (text ?? null),
        signal: options.signal ?? null,
        keepalive: options.keepalive ?? (method !== 'GET' && isClosing()),
      }));
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw unreachable();
  }
  if (response.status === 204) return undefined as T;
  const answer = await response.json().catch(() => undefined);
  if (response.ok) return answer as T;
  throw failureOf(response.status, answer, Number(response.headers.get('retry-after') ?? 0));
}
