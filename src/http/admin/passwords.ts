import { changePassword } from '../../users/change-password.ts';
import { completeUser } from '../../users/complete-user.ts';
import { countLinkRequest, mailPasswordLinks } from '../../users/forgotten-password.ts';
import { findLink } from '../../users/one-time-links.ts';
import { resetPassword } from '../../users/reset-password.ts';
import { signInByLink } from '../../users/sign-in-link.ts';
import {
  changePasswordInput,
  completeUserInput,
  forgottenPasswordInput,
  resetPasswordInput,
  tokenInput,
} from './contract/signing-in.ts';
import type { OneTimeLinkJson, SignInJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import { type AdminRequest, type AdminRoute, route } from './route.ts';
import { signedInJson } from './session.ts';
import { clientInfoOf } from './signed-in.ts';

const EVERY_PURPOSE = ['reset_password', 'invitation', 'sign_in', 'change_email'] as const;

/** Returns the routes for passwords, and for the mailed links that replace them. */
export function passwordRoutes(dependencies: RouteDependencies): AdminRoute[] {
  const { db, config, cookie, onMailQueued } = dependencies;
  return [
    route('POST /admin/forgotten-password', {
      needs: 'anyone',
      body: forgottenPasswordInput,
      handle: (request) => requestPasswordLink(dependencies, request),
    }),
    route('POST /admin/one-time-link', {
      needs: 'anyone',
      body: tokenInput,
      handle: async ({ body }) => {
        const { purpose, email, accountName } = await findLink(db, body.token, EVERY_PURPOSE);
        return jsonResponse(200, { purpose, email, accountName } satisfies OneTimeLinkJson);
      },
    }),
    route('POST /admin/reset-password', {
      needs: 'anyone',
      body: resetPasswordInput,
      handle: async ({ ctx, body }) => {
        const { sitesDomain } = config;
        const token = await resetPassword(db, { ...body, ...cookieAndClientInfo(dependencies, ctx), sitesDomain });
        // With a second factor, a new password alone does not sign in.
        if (token === undefined) return jsonResponse(200, { signedIn: false }, cookie.clear());
        return jsonResponse(200, await signedInJson(db, token), cookie.set(token));
      },
    }),
    route('POST /admin/sign-in-link', {
      needs: 'anyone',
      body: tokenInput,
      handle: async ({ ctx, body }) => {
        const token = await signInByLink(db, { ...body, ...cookieAndClientInfo(dependencies, ctx) });
        return jsonResponse(200, { signedIn: true } satisfies SignInJson, cookie.set(token));
      },
    }),
    route('POST /admin/welcome', {
      needs: 'session',
      body: completeUserInput,
      handle: async ({ ctx, sessionOwner, body }) => {
        const input = { ...body, clientInfo: clientInfoOf(ctx), sitesDomain: config.sitesDomain };
        return emptyResponse(cookie.set(await completeUser(db, sessionOwner, input)));
      },
    }),
    route('POST /admin/password', {
      needs: 'session',
      body: changePasswordInput,
      handle: async ({ ctx, sessionOwner, body }) => {
        const input = { ...body, clientInfo: clientInfoOf(ctx), sitesDomain: config.sitesDomain };
        const token = await changePassword(db, sessionOwner, input, config);
        onMailQueued();
        return emptyResponse(cookie.set(token));
      },
    }),
  ];
}

/** Gives the same answer for every address, before any work that depends on whether the address is known. */
async function requestPasswordLink(
  { db, config, background }: RouteDependencies,
  { ctx, body }: AdminRequest<typeof forgottenPasswordInput>,
) {
  const input = { ...body, clientInfo: clientInfoOf(ctx) };
  await countLinkRequest(db, input);
  // The outbox is not woken either, but finds the message at its next regular run. Otherwise an attacker who measures the
  // times of other responses could tell whether a message was sent.
  background.run('mailing links for a new password', () => mailPasswordLinks(db, input, config));
  return emptyResponse();
}

function cookieAndClientInfo({ cookie }: RouteDependencies, ctx: AdminRequest['ctx']) {
  return { clientInfo: clientInfoOf(ctx), previous: cookie.read(ctx.request) };
}
