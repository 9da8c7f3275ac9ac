import { type Operations, routes } from './api.ts';
import { type Errors, errorOf, Unavailable } from './errors.ts';
import type { CallOptions, Route } from './route.ts';

export type * from './api.ts';
export * from './errors.ts';
export type { CallOptions } from './route.ts';

export interface ClientOptions {
  /** The address of the service: `https://example.com`. */
  url: string;
  /** The API key. */
  key: string;
  /** How often a request that got no answer, or 429, 500, 502, 503 or 504, is sent again. Default: 3. */
  retries?: number;
  /** How long one attempt may take, in milliseconds. Default: 60,000. */
  timeoutMs?: number;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
}

/** The operations whose answers come in parts. */
type ListName = { [O in keyof Operations]: Answer<O> extends { next: string | null } ? O : never }[keyof Operations];
type Input<O extends keyof Operations> = NonNullable<Parameters<Operations[O]>[0]>;
type Answer<O extends keyof Operations> = Awaited<ReturnType<Operations[O]>>;
type ItemOf<O extends ListName> = {
  [M in keyof Answer<O>]: Answer<O>[M] extends (infer I)[] ? I : never;
}[keyof Answer<O>];

/** Has a method for each operation, and `all`, which reads a list to its end. */
export type Client = Operations & {
  /** Yields the items of a list one by one, and requests its parts when they are needed. Events end with the latest one. */
  all<O extends ListName>(operation: O, input?: Input<O>): AsyncGenerator<ItemOf<O>, void, undefined>;
};

/** Returns a client, which has no state but its options. @throws TypeError if `url` is not an HTTP address */
export function createClient(options: ClientOptions): Client {
  if (!/^https?:\/\//.test(options.url))
    throw new TypeError(`url must be like https://example.com, not ${options.url}`);
  const call = (name: keyof Operations, input: object = {}, callOptions: CallOptions = {}) =>
    request(options, routes[name], { ...input }, callOptions);
  const methods = Object.fromEntries(
    (Object.keys(routes) as (keyof Operations)[]).map((name) => [
      name,
      (input?: object, callOptions?: CallOptions) => call(name, input, callOptions),
    ]),
  );
  return { ...methods, all: (name: ListName, input?: object) => all(call, name, input) } as unknown as Client;
}

const etags = new WeakMap<object, string>();
const versions = new WeakMap<object, number>();

/** Returns the ETag of an answer that was read, for `ifMatch`; undefined for other objects. */
export function etagOf(answer: object): string | undefined {
  return etags.get(answer);
}

/** Returns the version of a list of pages that was read, for `since`; undefined for other objects. */
export function versionOf(list: object): number | undefined {
  return versions.get(list);
}

type Call = (name: keyof Operations, input?: object) => Promise<unknown>;

async function* all(call: Call, name: ListName, input: object = {}): AsyncGenerator<unknown, void, undefined> {
  const cursor = cursors[name];
  let from: string | null | undefined;
  for (;;) {
    const part = (await call(name, from === undefined ? input : { ...input, [cursor]: from })) as {
      next: string | null;
    };
    const items = Object.values(part).find((value) => Array.isArray(value)) as unknown[];
    yield* items;
    // A list of events always has a `next`, for later events.
    if (part.next === null || part.next === from || (name === 'listEvents' && items.length === 0)) return;
    from = part.next;
  }
}

const cursors: Readonly<Record<ListName, 'after' | 'before'>> = {
  listCustomers: 'after',
  listDeliveries: 'before',
  listEvents: 'after',
  listForecastChanges: 'after',
  listKeys: 'before',
  listRedirects: 'after',
  listRevenueCustomers: 'after',
  listRevisions: 'before',
  listScheduledChanges: 'after',
};

type Fields = Record<string, unknown>;

async function request(client: ClientOptions, route: Route, input: Fields, options: CallOptions): Promise<unknown> {
  const { method, object, isUpload, hasId, document, isText } = route;
  const { id, ...fields } = input;
  const url = new URL(client.url.replace(/\/$/, '') + route.path.replace('{id}', encodeURIComponent(String(id))));
  const headers = new Headers({
    Authorization: `Bearer ${client.key}`,
    Accept: isText ? 'text/csv, application/json' : 'application/json',
  });
  if (options.ifMatch !== undefined) headers.set('If-Match', options.ifMatch);
  if (method !== 'GET') headers.set('Idempotency-Key', options.idempotencyKey ?? crypto.randomUUID());
  if (hasId) headers.set('Prefer', 'return=representation');
  let body: string | FormData | undefined;
  if (method === 'GET') {
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) url.searchParams.set(name, String(value));
  } else if (document) {
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined && !document.includes(name)) url.searchParams.set(`${object}[${name}]`, String(value));
    body = JSON.stringify(Object.fromEntries(document.map((name) => [name, fields[name]])));
    headers.set('Content-Type', 'application/json');
  } else if (isUpload && fields.file !== undefined) {
    body = formOf(object!, fields);
  } else if (object !== undefined && Object.keys(fields).length > 0) {
    body = JSON.stringify({ [object]: fields });
    headers.set('Content-Type', 'application/json');
  }
  const sent = { method, headers, ...(body !== undefined && { body }) };
  const response = await sendWithRetries(client, url, sent, options.signal);
  return isText && response.ok ? readText(response) : read(response);
}

function formOf(object: string, { file, ...fields }: Fields): FormData {
  const form = new FormData();
  form.append(`${object}[file]`, file as Blob);
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) form.append(`${object}[${name}]`, String(value));
  return form;
}

const RETRIED: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

async function sendWithRetries(
  client: ClientOptions,
  url: URL,
  init: RequestInit,
  signal?: AbortSignal,
): Promise<Response> {
  const { retries = 3, timeoutMs = 60_000, fetch: send = fetch } = client;
  for (let attempt = 0; ; attempt++) {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await send(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout }).catch(
      (error: unknown) => error,
    );
    signal?.throwIfAborted();
    if (response instanceof Response && (!RETRIED.has(response.status) || attempt === retries)) return response;
    if (attempt === retries) {
      const message = `The service at ${url.origin} gave no answer: ${reasonOf(response)}.`;
      throw new Unavailable(0, message, undefined, { cause: response });
    }
    await wait(waitAfter(response, attempt), signal);
  }
}

/** Returns why a request failed. Node.js hides the reason in `cause`: `connect ECONNREFUSED 127.0.0.1:8080`. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message;
}

/** Returns how long to wait: as long as the service says, or longer after each attempt, in milliseconds. */
function waitAfter(response: unknown, attempt: number): number {
  const said = response instanceof Response ? Number(response.headers.get('Retry-After')) * 1000 : 0;
  return said > 0 ? said : Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** @throws Unavailable if the connection was lost during the answer */
async function readText(response: Response): Promise<string> {
  const text = await response.text().catch(() => undefined);
  if (text !== undefined) return text;
  const requestId = response.headers.get('X-Request-Id') ?? undefined;
  throw new Unavailable(response.status, 'The answer of the service broke off.', requestId);
}

async function read(response: Response): Promise<unknown> {
  const requestId = response.headers.get('X-Request-Id') ?? undefined;
  const answer = (await response.json().catch(() => undefined)) as { response?: boolean; errors?: Errors } | undefined;
  if (!response.ok || answer === undefined) {
    // The answer of a proxy is not JSON.
    throw errorOf(response.status, answer?.errors ?? `The service answered with ${response.status}.`, requestId);
  }
  const { response: _, errors: __, ...rest } = answer;
  const etag = response.headers.get('ETag');
  if (etag !== null) etags.set(rest, etag);
  const version = response.headers.get('Pages-Version');
  if (version !== null) versions.set(rest, Number(version));
  return rest;
}
