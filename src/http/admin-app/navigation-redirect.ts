import type { FirstScreen } from '../../overview/first-screen.ts';
import { queryValue } from '../../query.ts';
import { appUrl } from '../host.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { SessionCookie } from '../session-cookie.ts';
import { type IndexSettings, seemsSignedIn } from './index-page.ts';
import { unavailableResponse } from './unavailable.ts';

const unreportedHttps = unavailableResponse(
  'You use HTTPS, but the proxy does not tell the service so: nobody can sign in.\n' +
    'If you run it: the proxy in front of it must send "X-Forwarded-Proto: https", and TRUST_PROXY must name the address ' +
    'that the proxy comes from.\n',
);

/** Finds the first screen for the user of a session; undefined if the session has ended. */
export type FirstScreenLookup = (token: string) => Promise<FirstScreen | undefined>;

/**
 * Returns a redirect to the URL where the app itself would go, once it is loaded, which takes longer. Returns an error if HTTPS
 * is set up wrongly, and undefined if the app is to be served.
 */
export function navigationRedirect(
  ctx: RequestContext,
  settings: IndexSettings,
  findFirstScreen: FirstScreenLookup,
): HttpResponse | Promise<HttpResponse> | undefined {
  const publicUrl = appUrl(ctx, settings.publicUrl);
  const { path, query, isHttps } = ctx;
  const { headers } = ctx.request;
  // Node also accepts request targets such as `*@evil.example`, which would change the host when appended to PUBLIC_URL.
  if (!path.startsWith('/')) return undefined;
  const target = query ? `${path}?${query}` : path;
  if (!isHttps && publicUrl.startsWith('https:')) {
    if (cameByHttps(ctx, publicUrl)) return unreportedHttps;
    // Only if a proxy reports plain HTTP: behind a proxy that reports nothing, the redirect would loop.
    if (headers['x-forwarded-proto'] === 'http') return redirect(publicUrl + target);
  }
  const isSignedIn = seemsSignedIn(headers);
  if (path === '/') return toFirstScreen(ctx, settings, findFirstScreen);
  if (isSignedIn || !/^\/(?:overview|pages|images|settings)(?:\/|$)/.test(path)) return undefined;
  // Links in messages name the account, so that the sign-in page shows its brand.
  const account = queryValue(query, 'account');
  const named = account ? `account=${encodeURIComponent(account)}&` : '';
  return redirect(`/sign-in?${named}then=${encodeURIComponent(target)}`);
}

async function toFirstScreen(
  { request }: RequestContext,
  { publicUrl }: IndexSettings,
  findFirstScreen: FirstScreenLookup,
): Promise<HttpResponse> {
  const cookie = new SessionCookie(publicUrl);
  const token = cookie.read(request);
  const screen = token === undefined ? undefined : await findFirstScreen(token);
  // During an impersonation, the user sees the customer's website, which has no overview.
  const isActing = (cookie.readActing(request) ?? 'over') !== 'over';
  return redirect(screen === undefined ? '/sign-in' : isActing ? '/pages' : `/${screen}`);
}

/**
 * True if the browser used HTTPS, although no proxy has reported it. Browsers send Sec-Fetch-Mode only to trustworthy origins,
 * which are those with HTTPS, and localhost. See https://w3c.github.io/webappsec-fetch-metadata/
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
