import { changePassword } from '../../users/change-password.ts';
import { countLinkRequest, mailPasswordLinks } from '../../users/forgotten-password.ts';
import { findLink } from '../../users/one-time-links.ts';
import { resetPassword } from '../../users/reset-password.ts';
import { signInByLink } from '../../users/sign-in-link.ts';
import { clientInfoOf } from './caller.ts';
import type { OneTimeLinkJson, SignInJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import type { AdminRequest, AdminRoute } from './route.ts';

const EVERY_PURPOSE = ['reset_password', 'invitation', 'sign_in', 'change_email'] as const;

/** Passwords, and the mailed links that stand in for them. */
export function passwordRoutes(dependencies: RouteDependencies): AdminRoute[] {
  const { db, config, cookie, onMailQueued } = dependencies;
  return [
    {
      method: 'POST',
      path: '/admin/forgotten-password',
      needs: 'anyone',
      handle: (request) => forgotten(dependencies, request),
    },
    {
      method: 'POST',
      path: '/admin/one-time-link',
      needs: 'anyone',
      handle: async ({ fields }) => {
        const token = (await fields()).text('token');
        const { purpose, email, accountName } = await findLink(db, token, EVERY_PURPOSE);
        return jsonResponse(200, { purpose, email, accountName } satisfies OneTimeLinkJson);
      },
    },
    {
      method: 'POST',
      path: '/admin/reset-password',
      needs: 'anyone',
      handle: async ({ ctx, fields }) => {
        const body = await fields();
        const token = await resetPassword(db, {
          token: body.text('token'),
          password: body.text('password'),
          confirmation: body.text('confirmation'),
          ...cookieAndClientInfo(dependencies, ctx),
        });
        // With a second factor, a new password alone does not sign in.
        return jsonResponse(
          200,
          { signedIn: token !== undefined },
          token === undefined ? cookie.clear() : cookie.set(token),
        );
      },
    },
    {
      method: 'POST',
      path: '/admin/sign-in-link',
      needs: 'anyone',
      handle: async ({ ctx, fields }) => {
        const link = (await fields()).text('token');
        const token = await signInByLink(db, { token: link, ...cookieAndClientInfo(dependencies, ctx) });
        return jsonResponse(200, { signedIn: true } satisfies SignInJson, cookie.set(token));
      },
    },
    {
      method: 'POST',
      path: '/admin/password',
      needs: 'session',
      handle: async ({ ctx, caller, fields }) => {
        const body = await fields();
        const input = {
          current: body.optionalText('current') ?? '',
          password: body.text('password'),
          confirmation: body.text('confirmation'),
          clientInfo: clientInfoOf(ctx),
        };
        const token = await changePassword(db, caller, input, config);
        onMailQueued();
        return emptyResponse(cookie.set(token));
      },
    },
  ];
}

/** Answers the same for every address, and before anything is done that differs. */
async function forgotten(dependencies: RouteDependencies, { ctx, fields }: AdminRequest) {
  const { db, config, background } = dependencies;
  const body = await fields();
  const input = { email: body.text('email'), account: body.optionalText('account'), clientInfo: clientInfoOf(ctx) };
  await countLinkRequest(db, input);
  // Nor is the outbox told: it finds what there is with its next look, whenever that is, so that nobody who watches how long
  // other answers take can tell whether something was sent because of this.
  background.run('mailing links for a new password', () => mailPasswordLinks(db, input, config));
  return emptyResponse();
}

function cookieAndClientInfo({ cookie }: RouteDependencies, ctx: AdminRequest['ctx']) {
  return { clientInfo: clientInfoOf(ctx), previous: cookie.read(ctx.request) };
}
