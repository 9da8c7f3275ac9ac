import type { IncomingMessage } from 'node:http';
import { SESSION_LIFETIME_MS } from '../../users/sessions.ts';

/**
 * The cookie that holds a session's token. With HTTPS its name binds it to our host and to HTTPS: no other host of the
 * domain, such as a site, can set or shadow it. Browsers take such a name over HTTPS only.
 */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor(publicUrl: string) {
    const isHttps = publicUrl.startsWith('https:');
    this.#name = isHttps ? '__Host-freehold' : 'freehold';
    this.#attributes = `; Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
  }

  /** Returns the session token of the request; undefined if there is none, or nothing that could be one. */
  read({ headers }: IncomingMessage): string | undefined {
    for (const pair of (headers.cookie ?? '').split(';')) {
      const [name, value] = pair.trim().split('=', 2);
      if (name === this.#name && value !== undefined && /^[\w-]{43}$/.test(value)) return value;
    }
    return undefined;
  }

  /** Headers that give the browser the token. */
  set(token: string): string[] {
    return ['Set-Cookie', `${this.#name}=${token}${this.#attributes}; Max-Age=${SESSION_LIFETIME_MS / 1000}`];
  }

  /** Headers that take it away. */
  clear(): string[] {
    return ['Set-Cookie', `${this.#name}=${this.#attributes}; Max-Age=0`];
  }
}
