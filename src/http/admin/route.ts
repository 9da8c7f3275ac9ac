import type { InferOutput } from 'valibot';
import { MAX_IMPORT_BYTES } from '../../customer-imports/read-csv.ts';
import type { Db, Trx } from '../../db/database.ts';
import type { ActingUser, Permission } from '../../users/roles.ts';
import type { SessionOwner } from '../../users/sessions.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import type { NoInput, ObjectSchema } from './schema.ts';

export type { NoInput };

/** A parsed request, typed by the schemas of its body and its query. */
export interface AdminRequest<B extends ObjectSchema = ObjectSchema, Q extends ObjectSchema = ObjectSchema> {
  readonly ctx: RequestContext;
  /** The value of `:id` in the route's path; 0 if there is none. */
  readonly id: number;
  readonly body: InferOutput<B>;
  readonly query: InferOutput<Q>;
}

/** A request of a signed-in user. It may read and change only the account `sessionOwner.accountId`. */
export interface SignedInRequest<B extends ObjectSchema = ObjectSchema, Q extends ObjectSchema = ObjectSchema>
  extends AdminRequest<B, Q>,
    SignedIn {
  /** The body of a route that takes an archive. */
  readonly file?: Buffer;
}

/** The sender of a request, and the function to make changes in their name. */
export interface SignedIn {
  readonly sessionOwner: SessionOwner;
  /** The session's owner in the form that verbs record. */
  readonly actor: ActingUser;
  /** Makes a change in one transaction, if the session still exists. `also` lists other accounts that the work locks. */
  change<T>(work: (trx: Trx) => Promise<T>, also?: readonly number[]): Promise<T>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** `:id` stands for a whole number, at most once. */
type Path = `/admin/${string}`;

interface RouteOptions<B extends ObjectSchema, Q extends ObjectSchema> {
  /** The schema of the JSON body. Without a schema, no body is read. */
  readonly body?: B;
  /** The schema of the query. If a name is repeated, its first value counts. */
  readonly query?: Q;
  /** The kind of the body, on which its maximum size depends: see `bodyLimit`. A few fields by default. */
  readonly takes?: 'fields' | 'page' | 'image' | 'file' | 'archive';
  /** True if the JSON may also be the field `json` of a form, which can fill a frame. Only for routes that change nothing. */
  readonly mayBeForm?: true;
  /** True if large requests, and changes of many pages, are answered in another thread, by the same handler. */
  readonly mayRunInThread?: true;
  /**
   * True if the database changes any number of pages, whose texts are not loaded. If these are large, the request runs in the
   * thread for long changes instead of the thread for large requests.
   */
  readonly changesManyPages?: true;
  /** Returns the size of the stored texts that the route works with, in bytes. It counts like the size of the body. */
  readonly countTexts?: (db: Db, accountId: number, of: { id: number; userId: number }) => Promise<number>;
}

/** `anyone` requires no session; `session` requires a session, with any role. */
type RouteWith<B extends ObjectSchema, Q extends ObjectSchema> =
  | (RouteOptions<B, Q> & {
      readonly needs: 'anyone';
      handle(request: AdminRequest<B, Q>): HttpResponse | Promise<HttpResponse>;
    })
  | (RouteOptions<B, Q> & {
      readonly needs: 'session' | Permission;
      /** Whether an agency's user may call the route while impersonating. By default, `needs` decides: see `signed-in.ts`. */
      readonly impersonation?: 'allowed' | 'refused';
      /** Calls `work`, which reads the body and handles the request, when its turn comes. By default, it starts at once. */
      queue?(sessionOwner: SessionOwner, work: () => Promise<HttpResponse>): Promise<HttpResponse>;
      handle(request: SignedInRequest<B, Q>): HttpResponse | Promise<HttpResponse>;
    });

export type AdminRoute = RouteWith<ObjectSchema, ObjectSchema> & { readonly method: Method; readonly path: Path };

/** Returns the route with an address like `GET /admin/log`. Its handler gets the body and query as its schemas describe them. */
export function route<B extends ObjectSchema = NoInput, Q extends ObjectSchema = NoInput>(
  address: `${Method} ${Path}`,
  options: RouteWith<B, Q>,
): AdminRoute {
  const [method, path] = address.split(' ') as [Method, Path];
  return { method, path, ...options };
}

/** The maximum size of a body of fields: more than any form of the app sends, except for the text of a page. */
const MAX_FIELDS_BYTES = 64 * 1024;

/** Returns the maximum size of a request's body on the route, in bytes. */
export function bodyLimit(
  { takes = 'fields' }: AdminRoute,
  { maxBodyBytes }: { readonly maxBodyBytes: number },
): number {
  if (takes === 'fields') return MAX_FIELDS_BYTES;
  return takes === 'file' ? MAX_IMPORT_BYTES : maxBodyBytes;
}

/** Returns the routes by path and method. Throws if two routes are the same. */
export function routeTable(routes: readonly AdminRoute[]): ReadonlyMap<string, ReadonlyMap<string, AdminRoute>> {
  const table = new Map<string, Map<string, AdminRoute>>();
  for (const route of routes) {
    const methods = table.getOrInsertComputed(route.path, () => new Map());
    if (methods.has(route.method)) throw new Error(`${route.method} ${route.path} is there twice.`);
    methods.set(route.method, route);
  }
  return table;
}

/** Replaces the number in the path with `:id`, and returns both. Numbers with more than 15 digits are no ids. */
export function patternOf(path: string): { pattern: string; id: number } {
  let id = 0;
  const pattern = path.replace(/\/([1-9]\d{0,14})(?=\/|$)/, (_, digits: string) => {
    id = Number(digits);
    return '/:id';
  });
  return { pattern, id };
}
