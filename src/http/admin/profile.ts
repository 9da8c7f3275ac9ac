import { askForEmail, confirmEmail, countEmailRequest } from '../../users/change-email.ts';
import { changeOwnName } from '../../users/change-own-name.ts';
import { checkCurrentPassword } from '../../users/change-password.ts';
import { clientInfoOf } from './caller.ts';
import type { ConfirmedEmailJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import type { AdminRoute } from './route.ts';

/**
 * Routes for the name and mail address of the signed-in user. The address changes only by a link that is mailed to it.
 */
export function profileRoutes({ db, config, onMailQueued }: RouteDependencies): AdminRoute[] {
  return [
    {
      method: 'PATCH',
      path: '/admin/you',
      needs: 'session',
      handle: async ({ caller: { accountId, userId, userName }, fields, change }) => {
        const given = (await fields()).text('name');
        await change(async (trx, record) => {
          const name = await changeOwnName(trx, accountId, userId, given);
          if (name !== userName) record('user.changed', `user_${userId}`, { name });
        });
        return emptyResponse();
      },
    },
    {
      method: 'POST',
      path: '/admin/email',
      needs: 'session',
      handle: async ({ caller, ctx, fields, change }) => {
        const { accountId, userId } = caller;
        const body = await fields();
        const email = body.text('email');
        await checkCurrentPassword(db, caller, body.optionalText('current') ?? '');
        // The link goes to whatever address was entered, which may be a stranger's.
        await countEmailRequest(db, { userId, email, clientInfo: clientInfoOf(ctx) });
        await change(async (trx, record) => {
          const asked = await askForEmail(trx, accountId, { userId, email, ip: ctx.ip }, config);
          record('email.asked', `user_${userId}`, { email: asked });
        });
        onMailQueued();
        return emptyResponse();
      },
    },
    {
      method: 'POST',
      path: '/admin/confirm-email',
      needs: 'anyone',
      handle: async ({ ctx: { ip }, fields }) => {
        const email = await confirmEmail(db, { token: (await fields()).text('token'), ip }, config);
        onMailQueued();
        return jsonResponse(200, { email } satisfies ConfirmedEmailJson);
      },
    },
  ];
}
