import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrandLookup } from '../../brands/shown-brand.ts';
import type { HttpResponse, RequestContext, RequestHandler } from '../request-context.ts';
import { type AppFile, HASHED, readAppFiles } from './files.ts';
import { type IndexSettings, indexPage } from './index-page.ts';
import { type FirstScreenLookup, navigationRedirect } from './navigation-redirect.ts';
import { movedResponse, unavailableResponse } from './unavailable.ts';

/** The route name of the app's requests in the access log and the metrics. */
const APP_ROUTE = 'admin-app';

const built = fileURLToPath(new URL('../../../admin/dist', import.meta.url));

/**
 * Returns the handler that serves the built admin app: its scripts and styles, and its HTML page for every other URL that a
 * browser requests. Requests of programs, which do not ask for HTML, are left to later handlers, except for links in messages.
 */
export function adminAppHandler(
  settings: IndexSettings,
  brands: BrandLookup,
  findFirstScreen: FirstScreenLookup,
  folder = built,
): RequestHandler {
  /** Returns the time of the build; undefined if there is none. */
  const builtAt = () => statSync(`${folder}/index.html`, { throwIfNoEntry: false })?.mtimeMs;
  const open = () => ({ builtAt: builtAt(), files: readAppFiles(folder), index: indexPage(folder, settings, brands) });
  let app: ReturnType<typeof open> | undefined;
  /** Opens the app if it was built since it was last opened: the page must name the files of the latest build. */
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

/** Returns the response with a file; undefined if a newer build has deleted the file before it was first requested. */
function answerFile(file: AppFile, ctx: RequestContext): HttpResponse | undefined {
  try {
    return file.answer(ctx);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Returns the handler that tells visitors at another host of the service, such as the machine's IP address, where the app is.
 * The app cannot be served there, because sessions are for one host.
 */
export function movedAppHandler({ publicUrl }: IndexSettings): RequestHandler {
  const answer = movedResponse(
    `People sign in at ${publicUrl}/\n` +
      'If you run the service and want it at the address that you used, set PUBLIC_URL to that address.\n',
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

/** The root, and the paths of links in messages. */
const pathsInMessages = ['/', '/sign-in', '/forgotten-password', '/reset-password', '/confirm-email'];

/**
 * True if the client wants a page. Paths with a file extension are files, for which a missing file is a 404. Programs that scan
 * mailboxes also check the links in messages, and accept any type: a 404 would tell them that the link is broken.
 */
function isNavigation({ path, request: { headers } }: RequestContext): boolean {
  const { accept = '*/*' } = headers;
  if (accept.includes('text/html')) return !path.slice(path.lastIndexOf('/')).includes('.');
  return accept.includes('*/*') && pathsInMessages.includes(path);
}

const notBuilt = unavailableResponse(
  'The admin app has not been built. `npm start` builds it; `node admin/build.ts` shows why it could not.\n',
);
