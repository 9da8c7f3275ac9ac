import { countForAccount } from '../../db/connection-turns.ts';
import { checkAnnounced } from '../body.ts';
import { compressedOnce } from '../content.ts';
import { appUrl } from '../host.ts';
import { RateLimit } from '../limits.ts';
import type { HttpResponse, RequestContext, RequestHandler } from '../request-context.ts';
import { SessionCookie } from '../session-cookie.ts';
import { archiveRoutes } from './archives.ts';
import { authorizationRoutes } from './authorization.ts';
import { Background } from './background.ts';
import { brandRoutes } from './brand.ts';
import { oneCustomerRoutes } from './customer.ts';
import { customerActionRoutes } from './customer-actions.ts';
import { customerChangesRoutes } from './customer-changes.ts';
import { customerNoteRoutes } from './customer-notes.ts';
import { customerRoutes } from './customers.ts';
import type { AdminDependencies, RouteDependencies } from './dependencies.ts';
import { domainRoutes } from './domains.ts';
import { failure, failureOf } from './failure.ts';
import { forecastRoutes } from './forecast.ts';
import { impersonationRoutes } from './impersonations.ts';
import { importRoutes } from './imports.ts';
import { keyRoutes } from './keys.ts';
import { logRoutes } from './log.ts';
import { mailWordsRoutes } from './mail-words.ts';
import { mediaRoutes } from './media.ts';
import { newCustomerRoutes } from './new-customer.ts';
import { overviewRoutes } from './overview.ts';
import { pageContentRoutes } from './page-content.ts';
import { pageImportRoutes } from './page-imports.ts';
import { pageRoutes } from './pages.ts';
import { pageTreeRoutes } from './pages-tree.ts';
import { passkeyRoutes } from './passkeys.ts';
import { passwordRoutes } from './passwords.ts';
import { planRoutes } from './plans.ts';
import { previewRoutes } from './previews.ts';
import { profileRoutes } from './profile.ts';
import { redirectRoutes } from './redirects.ts';
import { readRequest, withArchive, withDocument } from './request.ts';
import { revenueRoutes } from './revenue.ts';
import { revenueCustomerRoutes } from './revenue-customers.ts';
import { type AdminRoute, bodyLimit, patternOf, routeTable } from './route.ts';
import { isSameOrigin } from './same-origin.ts';
import { secondFactorRoutes } from './second-factor.ts';
import { sessionRoutes } from './session.ts';
import { settingsRoutes } from './settings.ts';
import { assertStillAdmitted, signedIn } from './signed-in.ts';
import { templatePushRoutes } from './template-pushes.ts';
import { templateRoutes } from './templates.ts';
import { trashRoutes } from './trash.ts';
import { trashChangesRoutes } from './trash-changes.ts';
import { userRoutes } from './users.ts';
import { webhookRoutes } from './webhooks.ts';

export interface AdminHandler {
  readonly handler: RequestHandler;
  /** Resolves once all background work is done. To be called after the last request. */
  close(): Promise<void>;
}

/** Returns all routes of the surface. */
export function adminRoutes(dependencies: RouteDependencies): AdminRoute[] {
  return [
    ...sessionRoutes(dependencies),
    ...passwordRoutes(dependencies),
    ...profileRoutes(dependencies),
    ...secondFactorRoutes(dependencies),
    ...passkeyRoutes(dependencies),
    ...userRoutes(dependencies),
    ...settingsRoutes(dependencies),
    ...keyRoutes(dependencies),
    ...authorizationRoutes(dependencies),
    ...webhookRoutes(dependencies),
    ...archiveRoutes(dependencies),
    ...domainRoutes(dependencies),
    ...logRoutes(dependencies),
    ...revenueRoutes(dependencies),
    ...revenueCustomerRoutes(dependencies),
    ...forecastRoutes(dependencies),
    ...pageRoutes(dependencies),
    ...pageTreeRoutes(dependencies),
    ...pageContentRoutes(dependencies),
    ...redirectRoutes(dependencies),
    ...pageImportRoutes(dependencies),
    ...previewRoutes(dependencies),
    ...mediaRoutes(dependencies),
    ...trashRoutes(dependencies),
    ...trashChangesRoutes(dependencies),
    ...overviewRoutes(dependencies),
    ...customerRoutes(dependencies),
    ...oneCustomerRoutes(dependencies),
    ...newCustomerRoutes(dependencies),
    ...customerActionRoutes(dependencies),
    ...customerNoteRoutes(dependencies),
    ...customerChangesRoutes(dependencies),
    ...impersonationRoutes(dependencies),
    ...importRoutes(dependencies),
    ...planRoutes(dependencies),
    ...templateRoutes(dependencies),
    ...templatePushRoutes(dependencies),
    ...brandRoutes(dependencies),
    ...mailWordsRoutes(dependencies),
  ];
}

/** How many passkey challenges one network gets per minute. Each visit to the sign-in page takes one. */
const MAX_CHALLENGES_PER_MINUTE = 120;

/** How many requests a session may make per minute: more than a person makes in any number of browser tabs. */
const MAX_SESSION_REQUESTS_PER_MINUTE = 1200;

/** Returns the handler of all paths below `/admin/`, on the hosts of PUBLIC_URL and of agencies. */
export function adminHandler(dependencies: AdminDependencies): AdminHandler {
  const { db, config, log, largeRequests, longChanges, archives } = dependencies;
  const cookie = new SessionCookie(config.publicUrl);
  const background = new Background(log);
  const limit = (name: string, most: number) => new RateLimit(name, most, dependencies.counter, config.workers);
  const challengeLimit = limit('passkey challenge', MAX_CHALLENGES_PER_MINUTE);
  const sessionLimit = limit('session', MAX_SESSION_REQUESTS_PER_MINUTE);
  const shared = { ...dependencies, cookie, background, challengeLimit, sessionLimit };
  const table = routeTable(adminRoutes(shared));
  const httpsOnly = config.publicUrl.startsWith('https:');

  const answer = async (ctx: RequestContext): Promise<HttpResponse> => {
    const { pattern, id } = patternOf(ctx.path);
    const methods = table.get(pattern);
    if (!methods) return failure(404, 'not_found', 'Not found.');
    ctx.route = pattern;
    const method = ctx.request.method === 'HEAD' ? 'GET' : ctx.request.method!;
    const route = methods.get(method);
    if (!route) {
      const headers = ['Allow', [...methods.keys()].join(', ')];
      return failure(405, 'method_not_allowed', 'Method not allowed.', { headers });
    }
    if (httpsOnly && !ctx.isHttps) return failure(403, 'forbidden', 'HTTPS is required.');
    if (!isSameOrigin(ctx.request, new URL(appUrl(ctx, config.publicUrl)).origin)) {
      return failure(403, 'cross_site', 'This request did not come from the admin app.');
    }
    const limit = bodyLimit(route, config);
    // Images have their own error message. Chunked bodies are counted as they are read.
    const checkLength = () => route.takes !== 'image' && checkAnnounced(ctx.request, limit);
    const options = { db, maxBodyBytes: limit, largeRequests, longChanges, storedBytes: 0 };
    if (route.needs === 'anyone') {
      checkLength();
      return withDocument(route, ctx, options, (document) => route.handle(readRequest(route, ctx, id, document)));
    }
    const session = await signedIn(shared, ctx, route);
    checkLength();
    const { accountId, userId } = session.sessionOwner;
    if (route.takes === 'archive') return withArchive(ctx, accountId, { db, limit, archives });
    countForAccount(accountId);
    const storedBytes = (await route.countTexts?.(db, accountId, { id, userId })) ?? 0;
    const work = () =>
      withDocument(route, ctx, { ...options, storedBytes }, async (document) => {
        // The body of a preview may have taken minutes to arrive. Changes check the session in their transaction.
        if (route.mayBeForm) await assertStillAdmitted(db, session.sessionOwner);
        return route.handle({ ...readRequest(route, ctx, id, document), ...session });
      });
    return route.queue ? route.queue(session.sessionOwner, work) : work();
  };

  return {
    handler: (ctx) => {
      if (!ctx.path.startsWith('/admin/')) return undefined;
      return answer(ctx)
        .then((made) => compressedOnce(made, ctx))
        .catch((error: unknown) => failureOf(error, log, ctx));
    },
    close: () => background.settled(),
  };
}
