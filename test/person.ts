import type { OutgoingHttpHeaders } from 'node:http';
import type { Updateable } from 'kysely';
import { type Db, inTransaction, type Trx } from '../src/db/database.ts';
import type { UsersTable } from '../src/db/schema.ts';
import { createUser } from '../src/users/create-user.ts';
import { hashPassword } from '../src/users/password.ts';
import type { Role } from '../src/users/roles.ts';
import { startSession } from '../src/users/sessions.ts';
import { unique } from './factories.ts';
import type { Reply, Service } from './service.ts';

/** The headers that the app's own pages send with the default PUBLIC_URL. */
const ofOurOwn = { Host: 'localhost', Origin: 'http://localhost:8080' };

export const PASSWORD = 'correct horse battery';

/** A user of the admin app: keeps the session's cookie and sends requests as the app does. */
export class Person {
  readonly #service: Service;
  readonly #more: OutgoingHttpHeaders;
  cookie = '';

  constructor(service: Service, token?: string, more: OutgoingHttpHeaders = {}) {
    this.#service = service;
    this.#more = more;
    if (token !== undefined) this.cookie = `session=${token}`;
  }

  async send(method: string, path: string, body?: unknown, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    const reply = await this.#service.request(method, `/admin/${path}`, {
      headers: {
        ...ofOurOwn,
        ...(this.cookie && { Cookie: this.cookie }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...this.#more,
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const line of reply.headers['set-cookie'] ?? []) this.cookie = withCookie(this.cookie, line);
    return reply;
  }

  /** Sends a text of a type other than JSON. */
  sendText(path: string, text: string, type: string): Promise<Reply> {
    const headers = { ...ofOurOwn, ...(this.cookie && { Cookie: this.cookie }), 'Content-Type': type, ...this.#more };
    return this.#service.request('POST', `/admin/${path}`, { headers, body: text });
  }

  /** Uploads a file as the app does. */
  async upload(bytes: Uint8Array, name = 'photo.jpg', headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    return this.uploadTo(`media?name=${encodeURIComponent(name)}`, bytes, headers);
  }

  async uploadTo(path: string, bytes: Uint8Array, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    const type = { 'Content-Type': 'application/octet-stream' };
    return this.#service.request('POST', `/admin/${path}`, {
      headers: { ...ofOurOwn, ...(this.cookie && { Cookie: this.cookie }), ...type, ...this.#more, ...headers },
      body: bytes,
    });
  }

  get(path: string, headers?: OutgoingHttpHeaders): Promise<Reply> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown = {}, headers?: OutgoingHttpHeaders): Promise<Reply> {
    return this.send('POST', path, body, headers);
  }

  put(path: string, body: unknown, headers?: OutgoingHttpHeaders): Promise<Reply> {
    return this.send('PUT', path, body, headers);
  }

  patch(path: string, body: unknown, headers?: OutgoingHttpHeaders): Promise<Reply> {
    return this.send('PATCH', path, body, headers);
  }

  delete(path: string, headers?: OutgoingHttpHeaders): Promise<Reply> {
    return this.send('DELETE', path, undefined, headers);
  }
}

/** Returns the browser's cookies after it has received this `Set-Cookie` line. */
function withCookie(cookies: string, line: string): string {
  const cookie = line.split(';')[0]!;
  const name = cookie.slice(0, cookie.indexOf('=') + 1);
  const others = cookies.split('; ').filter((other) => other !== '' && !other.startsWith(name));
  return [...others, ...(line.includes('Max-Age=0') ? [] : [cookie])].join('; ');
}

export interface MadeUser {
  id: number;
  email: string;
  password: string;
}

/** Creates a user of the account with a password. */
export async function makeUser(
  db: Db,
  accountId: number,
  {
    role = 'owner',
    email = `${unique('user')}@example.com`,
    name = `The ${role}`,
  }: Partial<{
    role: Role;
    email: string;
    name: string;
  }> = {},
): Promise<MadeUser> {
  const passwordHash = await passwordHashOnce();
  const id = await db.transaction().execute((trx) => createUser(trx, accountId, { name, email, role, passwordHash }));
  return { id, email, password: PASSWORD };
}

/** Sets the user's password. */
export async function givePassword(db: Db, userId: number, password: string): Promise<void> {
  const password_hash = await hashPassword(password, 1);
  await change(db, userId, { password_hash });
}

/** Marks the user's address as proved, as if they had chosen their password through a mailed link. */
export function proveAddress(db: Db, userId: number): Promise<unknown> {
  return change(db, userId, { address_proved_at: Date.now() });
}

function change(db: Db, userId: number, values: Updateable<UsersTable>): Promise<unknown> {
  return db.transaction().execute((trx) => trx.updateTable('users').set(values).where('id', '=', userId).execute());
}

/** Creates a user of this role and signs them in. */
export async function signedInAs(service: Service, db: Db, accountId: number, role: Role = 'owner'): Promise<Person> {
  const { id } = await makeUser(db, accountId, { role });
  return new Person(service, await tokenFor(db, accountId, id));
}

/** Starts a session of the user and returns its token. */
export function tokenFor(db: Db | Trx, accountId: number, userId: number): Promise<string> {
  const clientInfo = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: 'Test' };
  const start = (trx: Trx) => startSession(trx, accountId, { userId, clientInfo });
  return inTransaction(db, start);
}

let made: Promise<string> | undefined;

function passwordHashOnce(): Promise<string> {
  made ??= hashPassword(PASSWORD, 1);
  return made;
}
