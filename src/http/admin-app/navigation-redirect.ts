import type { FirstScreen } from '../../overview/first-screen.ts';
import { queryValue } from '../../query.ts';
import { appUrl } from '../host.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { SessionCookie } from '../session-cookie.ts';
import { type IndexSettings, maySeeMore } from './index-page.ts';
import { unavailable } from './unavailable.ts';

const unseenHttps = unavailable(
  'You came by HTTPS, but the service was not told so, and nobody can sign in.\n' +
    'If you run it: the proxy in front of it must send "X-Forwarded-Proto: https", and TRUST_PROXY must name the address ' +
    'that the proxy comes from.\n',
);

/** Finds the first screen of a session's user; undefined if the session has ended. */
export type FirstScreenLookup = (token: string) => Promise<FirstScreen | undefined>;

/**
 * The way to another address, where the app would only find out that it has to go there: it would take until it is
 * loaded. Or why there is no way.
 */
export function navigationRedirect(
  ctx: RequestContext,
  settings: IndexSettings,
  findFirstScreen: FirstScreenLookup,
): HttpResponse | Promise<HttpResponse> | undefined {
  const publicUrl = appUrl(ctx, settings.publicUrl);
  const { path, query, isHttps } = ctx;
  const { headers } = ctx.request;
  // Node also takes targets such as `*@evil.example`, which would become a part of the host's name behind PUBLIC_URL.
  if (!path.startsWith('/')) return undefined;
  const here = query ? `${path}?${query}` : path;
  if (!isHttps && publicUrl.startsWith('https:')) {
    if (cameByHttps(ctx, publicUrl)) return unseenHttps;
    // Only where a proxy says that it was asked so: with one that says nothing it would never end.
    if (headers['x-forwarded-proto'] === 'http') return redirect(publicUrl + here);
  }
  const isIn = maySeeMore(headers);
  if (path === '/') return toFirstScreen(ctx, settings, findFirstScreen);
  if (isIn || !/^\/(?:overview|pages|images|settings)(?:\/|$)/.test(path)) return undefined;
  // Links in messages name the account, whose brand the sign-in page shows.
  const account = queryValue(query, 'account');
  const named = account ? `account=${encodeURIComponent(account)}&` : '';
  return redirect(`/sign-in?${named}then=${encodeURIComponent(here)}`);
}

async function toFirstScreen(
  { request }: RequestContext,
  { publicUrl }: IndexSettings,
  findFirstScreen: FirstScreenLookup,
): Promise<HttpResponse> {
  const cookie = new SessionCookie(publicUrl);
  const token = cookie.read(request);
  const screen = token === undefined ? undefined : await findFirstScreen(token);
  // Somebody who acts for a customer's person sees the customer's website, and no overview.
  const isActing = (cookie.readActing(request) ?? 'over') !== 'over';
  return redirect(screen === undefined ? '/sign-in' : isActing ? '/pages' : `/${screen}`);
}

/**
 * Browsers say what they fetch things for only where they trust the way, which is HTTPS or the machine itself:
 * https://w3c.github.io/webappsec-fetch-metadata/
 */
function cameByHttps({ request: { headers } }: RequestContext, publicUrl: string): boolean {
  const { host, hostname } = new URL(publicUrl);
  const isOwnMachine = hostname === 'localhost' || hostname.endsWith('.localhost');
  return headers['sec-fetch-mode'] !== undefined && headers.host === host && !isOwnMachine;
}

function redirect(location: string): HttpResponse {
  const headers = ['Location', location, 'Content-Length', '0', 'Cache-Control', 'no-cache', 'Vary', 'Cookie'];
  return { status: 302, headers, body: '' };
}
