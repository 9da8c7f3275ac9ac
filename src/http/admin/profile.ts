import { askForEmail, confirmEmail, countEmailRequest } from '../../users/change-email.ts';
import { changeOwnName } from '../../users/change-own-name.ts';
import { checkCurrentPassword } from '../../users/change-password.ts';
import { changeEmailInput, nameInput, tokenInput } from './contract/signing-in.ts';
import type { ConfirmedEmailJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';
import { clientInfoOf } from './signed-in.ts';

/** Returns the routes for the user's own name and mail address. A new address applies once a link mailed to it is opened. */
export function profileRoutes({ db, config, onMailQueued }: RouteDependencies): AdminRoute[] {
  return [
    route('PATCH /admin/you', {
      needs: 'session',
      body: nameInput,
      handle: async ({ sessionOwner: { accountId }, actor, body, change }) => {
        await change((trx) => changeOwnName(trx, accountId, body.name, actor));
        return emptyResponse();
      },
    }),
    route('POST /admin/email', {
      needs: 'session',
      body: changeEmailInput,
      handle: async ({ sessionOwner, actor, ctx, body: { email, current }, change }) => {
        const { accountId, userId } = sessionOwner;
        await checkCurrentPassword(db, sessionOwner, current);
        // Limits such mails: the entered address may belong to a stranger.
        await countEmailRequest(db, { userId, email, clientInfo: clientInfoOf(ctx) });
        await change((trx) => askForEmail(trx, accountId, email, actor, config));
        onMailQueued();
        return emptyResponse();
      },
    }),
    route('POST /admin/confirm-email', {
      needs: 'anyone',
      body: tokenInput,
      handle: async ({ ctx: { ip }, body }) => {
        const email = await confirmEmail(db, { ...body, ip }, config);
        onMailQueued();
        return jsonResponse(200, { email } satisfies ConfirmedEmailJson);
      },
    }),
  ];
}
