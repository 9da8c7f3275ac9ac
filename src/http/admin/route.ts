import type { InferOutput } from 'valibot';
import { MAX_IMPORT_BYTES } from '../../customer-imports/read-csv.ts';
import type { Db, Trx } from '../../db/database.ts';
import type { ActingUser, Permission } from '../../users/roles.ts';
import type { SessionOwner } from '../../users/sessions.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import type { NoInput, ObjectSchema } from './schema.ts';

export type { NoInput };

/** One request as the routes see it, with the schemas of its body and its query. */
export interface AdminRequest<B extends ObjectSchema = ObjectSchema, Q extends ObjectSchema = ObjectSchema> {
  readonly ctx: RequestContext;
  /** The value of `:id` in the route's path; 0 if there is none. */
  readonly id: number;
  readonly body: InferOutput<B>;
  readonly query: InferOutput<Q>;
}

/** A request of a signed-in user. Everything it does is done in `caller.accountId`. */
export interface SignedInRequest<B extends ObjectSchema = ObjectSchema, Q extends ObjectSchema = ObjectSchema>
  extends AdminRequest<B, Q>,
    SignedIn {
  /** The body of a route that takes an archive. */
  readonly file?: Buffer;
}

/** The user who sends a request, and what the session lets them do. */
export interface SignedIn {
  readonly caller: SessionOwner;
  /** The caller in the form in which verbs record them. */
  readonly actor: ActingUser;
  /**
   * Makes a change in one transaction, if the caller is still signed in. `also` lists other accounts that the work locks.
   */
  change<T>(work: (trx: Trx) => Promise<T>, also?: readonly number[]): Promise<T>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** `:id` stands for a whole number, at most once. */
type Path = `/admin/${string}`;

interface RouteOptions<B extends ObjectSchema, Q extends ObjectSchema> {
  /** The schema of its JSON body. Without one, no body is read. */
  readonly body?: B;
  /** The schema of its query, of which the first value of each name counts. */
  readonly query?: Q;
  /** The kind of body that it takes: a few fields by default. `bodyLimit` returns the largest size. */
  readonly takes?: 'fields' | 'page' | 'image' | 'file' | 'archive';
  /** The JSON may also come as the field `json` of a form, which can fill a frame. Only if nothing is changed. */
  readonly mayBeForm?: true;
  /**
   * A request with a large body, or for a change of many pages, is answered in another thread: by the same handler, once its
   * body has been read.
   */
  readonly mayRunInThread?: true;
  /** Its stored texts are those of any number of pages, which the database changes by itself: they are long, not large. */
  readonly changesManyPages?: true;
  /** Counts the bytes of the stored texts that the route works with. They count like the request's body. */
  readonly countTexts?: (db: Db, accountId: number, of: { id: number; userId: number }) => Promise<number>;
}

/** `anyone` needs no session; `session` needs one, whatever the role. */
type RouteWith<B extends ObjectSchema, Q extends ObjectSchema> =
  | (RouteOptions<B, Q> & {
      readonly needs: 'anyone';
      handle(request: AdminRequest<B, Q>): HttpResponse | Promise<HttpResponse>;
    })
  | (RouteOptions<B, Q> & {
      readonly needs: 'session' | Permission;
      /** Whether it is for an agency's person who acts for the user. By default, that depends on what it needs: see `caller.ts`. */
      readonly impersonation?: 'allowed' | 'refused';
      /** Calls the work, which reads the body and handles the request, when it may begin: at once by default. */
      queue?(caller: SessionOwner, work: () => Promise<HttpResponse>): Promise<HttpResponse>;
      handle(request: SignedInRequest<B, Q>): HttpResponse | Promise<HttpResponse>;
    });

export type AdminRoute = RouteWith<ObjectSchema, ObjectSchema> & { readonly method: Method; readonly path: Path };

/** Returns the route of an address like `GET /admin/log`. Its handler gets the body and the query that its schemas describe. */
export function route<B extends ObjectSchema = NoInput, Q extends ObjectSchema = NoInput>(
  address: `${Method} ${Path}`,
  options: RouteWith<B, Q>,
): AdminRoute {
  const [method, path] = address.split(' ') as [Method, Path];
  return { method, path, ...options };
}

/** More than any form of the app sends, except for the text of a page. */
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

/** Replaces the number in the path with `:id`, and returns both. No id has more digits. */
export function patternOf(path: string): { pattern: string; id: number } {
  let id = 0;
  const pattern = path.replace(/\/([1-9]\d{0,14})(?=\/|$)/, (_, digits: string) => {
    id = Number(digits);
    return '/:id';
  });
  return { pattern, id };
}
