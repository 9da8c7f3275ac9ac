import { checkCurrentPassword } from '../../users/change-password.ts';
import { getUser } from '../../users/get-user.ts';
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor } from '../../users/second-factor.ts';
import { countAttempt, userKey } from '../../users/throttle.ts';
import { secretUri } from '../../users/totp.ts';
import { appUrl } from '../host.ts';
import { confirmSecondFactorInput, currentPasswordInput } from './contract/signing-in.ts';
import type { NewSecondFactorJson, RecoveryCodesJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** Returns the routes for the second factor of the signed-in user. Adding or removing it requires the password. */
export function secondFactorRoutes({ db, config, onMailQueued }: RouteDependencies): AdminRoute[] {
  return [
    route('POST /admin/second-factor', {
      needs: 'session',
      body: currentPasswordInput,
      handle: async ({ ctx, sessionOwner, body, change }) => {
        const { accountId, userId } = sessionOwner;
        await checkCurrentPassword(db, sessionOwner, body.current);
        const { email } = await getUser(db, accountId, userId);
        const secret = await change((trx) => beginSecondFactor(trx, accountId, userId));
        const uri = secretUri(secret, { issuer: new URL(appUrl(ctx, config.publicUrl)).hostname, name: email });
        return jsonResponse(200, { secret, uri } satisfies NewSecondFactorJson);
      },
    }),
    route('POST /admin/second-factor/confirm', {
      needs: 'session',
      body: confirmSecondFactorInput,
      handle: async ({ sessionOwner: { accountId, userId }, actor, body, change }) => {
        // Limits attempts: otherwise a stranger at an unattended computer could guess the code and get the recovery codes.
        await countAttempt(db, [userKey(userId)]);
        const recoveryCodes = await change((trx) => confirmSecondFactor(trx, accountId, body.code, actor, config));
        onMailQueued();
        return jsonResponse(200, { recoveryCodes } satisfies RecoveryCodesJson);
      },
    }),
    route('POST /admin/second-factor/remove', {
      needs: 'session',
      body: currentPasswordInput,
      handle: async ({ sessionOwner, actor, body, change }) => {
        await checkCurrentPassword(db, sessionOwner, body.current);
        await change((trx) => removeSecondFactor(trx, sessionOwner.accountId, actor, config));
        onMailQueued();
        return emptyResponse();
      },
    }),
  ];
}
