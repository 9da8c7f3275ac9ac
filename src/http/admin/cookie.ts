import type { IncomingMessage } from 'node:http';
import { SESSION_LIFETIME_MS } from '../../users/sessions.ts';

const ACTING_SECONDS = 24 * 60 * 60;

/**
 * The cookie that holds a session's token. With HTTPS its name binds it to our host and to HTTPS: no other host of the
 * domain, such as a site, can set or shadow it. Browsers take such a name over HTTPS only.
 */
export class SessionCookie {
  readonly #name: string;
  /** The cookie that says as whom the session acts: see `impersonations`. */
  readonly #actingName: string;
  readonly #attributes: string;

  constructor(publicUrl: string) {
    const isHttps = publicUrl.startsWith('https:');
    this.#name = isHttps ? '__Host-freehold' : 'freehold';
    this.#actingName = `${this.#name}-as`;
    this.#attributes = `; Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
  }

  /** Returns the session token of the request; undefined if there is none, or nothing that could be one. */
  read(request: IncomingMessage): string | undefined {
    return cookieValue(request, this.#name, /^[\w-]{43}$/);
  }

  /** Returns the token of the impersonation; `over` if one was ended lately; undefined if there was none. */
  readActing(request: IncomingMessage): string | undefined {
    return cookieValue(request, this.#actingName, /^(over|[\w-]{43})$/);
  }

  /** Headers that give the browser the token. */
  set(token: string): string[] {
    return ['Set-Cookie', `${this.#name}=${token}${this.#attributes}; Max-Age=${SESSION_LIFETIME_MS / 1000}`];
  }

  /**
   * Headers that have the browser act as somebody, or `over`. They outlive every impersonation: as long as a browser sends the token, it
   * is told that the impersonation is over, and nothing is done in the agency's own account.
   */
  setActing(token: string): string[] {
    return ['Set-Cookie', `${this.#actingName}=${token}${this.#attributes}; Max-Age=${ACTING_SECONDS}`];
  }

  /** Headers that take the session away. */
  clear(): string[] {
    return ['Set-Cookie', `${this.#name}=${this.#attributes}; Max-Age=0`];
  }
}

function cookieValue({ headers }: IncomingMessage, wanted: string, form: RegExp): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted && value !== undefined && form.test(value)) return value;
  }
  return undefined;
}
