import type { IncomingMessage } from 'node:http';
import { SESSION_LIFETIME_MS } from '../users/sessions.ts';

const ACTING_SECONDS = 24 * 60 * 60;

/** The time for which a browser remembers the site that a user last signed in to. Browsers keep no cookie for longer. */
const SITE_MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

type Request = Pick<IncomingMessage, 'headers'>;

/**
 * The cookie that holds a session's token. With HTTPS its name binds it to our host and to HTTPS: no other host of the
 * domain, such as a site, can set or shadow it. Browsers accept this kind of name over HTTPS only. A second cookie names the
 * site, so that the sign-in page has its brand after the session is over. No name reveals the product.
 */
export class SessionCookie {
  readonly #session: string;
  readonly #site: string;
  /** The name of the cookie with the token of an impersonation: see `impersonations`. */
  readonly #acting: string;
  /** The name of the session cookie before version 1.0. */
  readonly #former: string;
  readonly #attributes: string;

  constructor(publicUrl: string) {
    const isHttps = publicUrl.startsWith('https:');
    const prefix = isHttps ? '__Host-' : '';
    this.#session = `${prefix}session`;
    this.#site = `${prefix}site`;
    this.#acting = `${this.#session}-as`;
    this.#former = `${prefix}freehold`;
    this.#attributes = `; Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
  }

  /** Returns the session token of the request, or undefined if there is none or its format is invalid. */
  read(request: Request): string | undefined {
    const isToken = (value: string) => /^[\w-]{43}$/.test(value);
    return cookieValue(request, this.#session, isToken) ?? cookieValue(request, this.#former, isToken);
  }

  /** Returns the subdomain of the site that the user last signed in to, if it has a brand. */
  readSite(request: Request): string | undefined {
    return cookieValue(request, this.#site, (value) => /^[a-z0-9-]{1,63}$/.test(value));
  }

  /** Returns the token of the impersonation, `over` if one has ended recently, or undefined if there was none. */
  readActing(request: Request): string | undefined {
    return cookieValue(request, this.#acting, (value) => /^(over|[\w-]{43})$/.test(value));
  }

  /** Returns headers that set the session cookie. */
  set(token: string): string[] {
    return ['Set-Cookie', `${this.#session}=${token}${this.#attributes}; Max-Age=${SESSION_LIFETIME_MS / 1000}`];
  }

  /**
   * Returns headers that set the token of an impersonation, or `over`. The cookie outlives every impersonation. While a
   * browser sends the token, it is told that the impersonation is over, and nothing is done in the agency's own account.
   */
  setActing(token: string): string[] {
    return ['Set-Cookie', `${this.#acting}=${token}${this.#attributes}; Max-Age=${ACTING_SECONDS}`];
  }

  /** Returns headers that delete the session cookie. */
  clear(): string[] {
    return ['Set-Cookie', `${this.#session}=${this.#attributes}; Max-Age=0`];
  }

  /** Returns headers that store or delete the name of the site, and rename a session cookie of before version 1.0. */
  update(request: Request, site: string | undefined): string[] {
    const headers: string[] = [];
    if (site !== this.readSite(request)) {
      const age = site === undefined ? 0 : SITE_MAX_AGE_SECONDS;
      headers.push('Set-Cookie', `${this.#site}=${site ?? ''}${this.#attributes}; Max-Age=${age}`);
    }
    const isAnyValue = () => true;
    if (cookieValue(request, this.#former, isAnyValue) === undefined) return headers;
    const token = this.read(request);
    if (token !== undefined) headers.push(...this.set(token));
    return [...headers, 'Set-Cookie', `${this.#former}=${this.#attributes}; Max-Age=0`];
  }
}

function cookieValue({ headers }: Request, wanted: string, isValid: (value: string) => boolean): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted && value !== undefined && isValid(value)) return value;
  }
  return undefined;
}
