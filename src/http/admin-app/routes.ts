import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrandLookup } from '../../brands/shown-brand.ts';
import type { HttpResponse, RequestContext, RequestHandler } from '../request-context.ts';
import { type AppFile, HASHED, readAppFiles } from './files.ts';
import { type IndexSettings, indexPage } from './index-page.ts';
import { type FirstScreenLookup, navigationRedirect } from './navigation-redirect.ts';
import { elsewhere, unavailable } from './unavailable.ts';

/** The route of all requests for the app in the access log and the metrics. */
const APP_ROUTE = 'admin-app';

const built = fileURLToPath(new URL('../../../admin/dist', import.meta.url));

/**
 * The admin app as files: its scripts and styles, and its one page for every other address that a browser asks for.
 * Programs, which do not ask for HTML, are left to those who come after, but for what they look up of a message.
 */
export function adminAppHandler(
  settings: IndexSettings,
  brands: BrandLookup,
  findFirstScreen: FirstScreenLookup,
  folder = built,
): RequestHandler {
  /** Undefined while there is no build. */
  const builtAt = () => statSync(`${folder}/index.html`, { throwIfNoEntry: false })?.mtimeMs;
  const open = () => ({ builtAt: builtAt(), files: readAppFiles(folder), index: indexPage(folder, settings, brands) });
  let app: ReturnType<typeof open> | undefined;
  /** Opens the app if it was built since, also again: the page must name the files that are there. */
  const refresh = () => {
    const latest = builtAt();
    if (latest !== undefined && latest !== app?.builtAt) app = open();
  };

  return (ctx) => {
    if (!isForApp(ctx)) return undefined;
    const isPage = isNavigation(ctx);
    if (!app?.files.has(ctx.path) && (!app || isPage || ctx.path.startsWith(HASHED))) refresh();
    const file = app?.files.get(ctx.path);
    if (!file && !isPage) return undefined;
    ctx.route = APP_ROUTE;
    if (file) return answerFile(file, ctx);
    return app ? (navigationRedirect(ctx, settings, findFirstScreen) ?? app.index(ctx)) : notBuilt;
  };
}

/** Answers with a file, unless it went with an earlier build before anybody asked for it. */
function answerFile(file: AppFile, ctx: RequestContext): HttpResponse | undefined {
  try {
    return file.answer(ctx);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Returns the handler that tells visitors at another name of the service, such as the machine's address, where the app
 * is: sessions are for one host.
 */
export function movedAppHandler({ publicUrl }: IndexSettings): RequestHandler {
  const answer = elsewhere(
    `People sign in at ${publicUrl}/\n` +
      'If you run the service and mean to have it at the address that you came to, set PUBLIC_URL to that.\n',
  );
  return (ctx) => {
    const isPerson = ctx.request.headers.accept?.includes('text/html') === true;
    if (!isPerson || !isForApp(ctx) || !isNavigation(ctx)) return undefined;
    ctx.route = APP_ROUTE;
    return answer;
  };
}

function isForApp({ path, request: { method } }: RequestContext): boolean {
  return (method === 'GET' || method === 'HEAD') && !/^\/(?:api|admin)(?:\/|$)/.test(path);
}

/** The front door, and where the links in messages lead. */
const doors = ['/', '/sign-in', '/forgotten-password', '/reset-password', '/confirm-email'];

/**
 * Whether a page is wanted. Programs look up the links in messages too, such as those that guard an inbox, and take
 * anything: a 404 would tell them that the link leads nowhere. What has an ending is a file, and one that is not there is
 * not found.
 */
function isNavigation({ path, request: { headers } }: RequestContext): boolean {
  const { accept = '*/*' } = headers;
  if (accept.includes('text/html')) return !path.slice(path.lastIndexOf('/')).includes('.');
  return accept.includes('*/*') && doors.includes(path);
}

const notBuilt = unavailable(
  'The admin app has not been built. `npm start` builds it; `node admin/build.ts` says what is in the way.\n',
);
