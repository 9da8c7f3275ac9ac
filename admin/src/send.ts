import { failureOf, isSignedOut, unreachable } from './api-error.ts';
import { takeEarlyResponse } from './before-app/early-requests.ts';
import { isClosing } from './closing.ts';
import { ownerHeader, whileSignedIn } from './signed-in.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface SendOptions {
  /** The version of the page that the change starts from. */
  readonly ifMatch?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Sends the request even while the page is closing. Only for short bodies. */
  readonly keepalive?: boolean;
  /** A CSV file, which is sent instead of JSON. */
  readonly file?: Blob;
  /** True if the request needs no session. */
  readonly needsNoSession?: boolean;
}

/** Sends a request. If the session has ended, waits until the user has signed in again. */
export function send<T>(method: Method, path: string, body?: unknown, options: SendOptions = {}): Promise<T> {
  const request = () => sendOnce<T>(method, path, body, options);
  return options.needsNoSession ? request() : whileSignedIn(request, isSignedOut);
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** Sends a GET request. Omits query parameters without a value. */
export function get<T>(path: string, { query = {}, ...options }: SendOptions & { query?: Query } = {}): Promise<T> {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return send('GET', given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`, undefined, options);
}

export function sendFile<T>(path: string, file: Blob, signal?: AbortSignal): Promise<T> {
  return whileSignedIn(() => sendOnce<T>('POST', path, undefined, { signal, file }), isSignedOut);
}

async function sendOnce<T>(method: Method, path: string, body: unknown, options: SendOptions): Promise<T> {
  const headers = options.needsNoSession ? {} : ownerHeader();
  if (method !== 'GET') headers['Content-Type'] = options.file ? 'text/csv' : 'application/json';
  if (options.ifMatch !== undefined) headers['If-Match'] = `"${options.ifMatch}"`;
  let response: Response;
  try {
    const text = method === 'GET' || options.file ? undefined : JSON.stringify(body ?? {});
    response = await (takeEarlyResponse(`/admin/${path}`, text) ??
      fetch(`/admin/${path}`, {
        method,
        headers,
        credentials: 'same-origin',
        // Wrapped in a Blob without a type, which would override the header.
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
