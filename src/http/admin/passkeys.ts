import { checkCurrentPassword } from '../../users/change-password.ts';
import { listPasskeys } from '../../users/passkeys/list-passkeys.ts';
import { readPasskeyAnswer } from '../../users/passkeys/passkey-answer.ts';
import { addPasskey, beginPasskey, verifyNewPasskey } from '../../users/passkeys/register-passkey.ts';
import { getRelyingParty, relyingPartyOf } from '../../users/passkeys/relying-party.ts';
import { removePasskey } from '../../users/passkeys/remove-passkey.ts';
import { renamePasskey } from '../../users/passkeys/rename-passkey.ts';
import { restorePasskey } from '../../users/passkeys/restore-passkey.ts';
import { passkeyChallenge, signInWithPasskey } from '../../users/passkeys/sign-in-with-passkey.ts';
import { network } from '../client.ts';
import { appUrl } from '../host.ts';
import { addPasskeyInput, currentPasswordInput, nameInput, signInWithPasskeyInput } from './contract/signing-in.ts';
import type { PasskeysJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { checkLimit } from './request-limit.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';
import { signedInJson } from './session.ts';
import { clientInfoOf } from './signed-in.ts';

/** Returns the routes for signing in with a passkey, and for the user's own passkeys. Adding a passkey requires the password. */
export function passkeyRoutes(dependencies: RouteDependencies): AdminRoute[] {
  const { db, config, cookie, log, challengeLimit, onMailQueued } = dependencies;
  return [
    route('POST /admin/passkeys/challenge', {
      needs: 'anyone',
      handle: async ({ ctx }) => {
        const party = getRelyingParty(appUrl(ctx, config.publicUrl));
        await checkLimit(challengeLimit, network(ctx.ip));
        return jsonResponse(200, await passkeyChallenge(db, party));
      },
    }),
    route('POST /admin/passkeys/sign-in', {
      needs: 'anyone',
      body: signInWithPasskeyInput,
      handle: async ({ ctx, body }) => {
        const answer = readPasskeyAnswer(body.answer);
        const input = { ...body, answer, clientInfo: clientInfoOf(ctx), previous: cookie.read(ctx.request) };
        const token = await signInWithPasskey(db, input, getRelyingParty(appUrl(ctx, config.publicUrl)));
        return jsonResponse(200, await signedInJson(db, token), cookie.set(token));
      },
    }),
    route('GET /admin/passkeys', {
      needs: 'session',
      handle: async ({ ctx, sessionOwner: { accountId, userId } }) => {
        const arePossible = relyingPartyOf(appUrl(ctx, config.publicUrl)) !== undefined;
        const passkeys = (await listPasskeys(db, accountId, userId)).map(passkeyJson);
        return jsonResponse(200, { arePossible, passkeys } satisfies PasskeysJson);
      },
    }),
    route('POST /admin/passkeys/begin', {
      needs: 'session',
      body: currentPasswordInput,
      handle: async ({ ctx, sessionOwner, body, change }) => {
        const party = getRelyingParty(appUrl(ctx, config.publicUrl));
        await checkCurrentPassword(db, sessionOwner, body.current);
        return jsonResponse(200, await beginPasskey(db, sessionOwner, party, change));
      },
    }),
    route('POST /admin/passkeys', {
      needs: 'session',
      body: addPasskeyInput,
      handle: async ({ ctx, sessionOwner, actor, body, change }) => {
        const input = { name: body.name, answer: readPasskeyAnswer(body.answer) };
        const passkey = await verifyNewPasskey(
          sessionOwner,
          input,
          getRelyingParty(appUrl(ctx, config.publicUrl)),
          change,
        );
        const id = await change((trx) => addPasskey(trx, sessionOwner.accountId, passkey, actor, config));
        onMailQueued();
        return jsonResponse(201, { id });
      },
    }),
    route('PATCH /admin/passkeys/:id', {
      needs: 'session',
      body: nameInput,
      handle: async ({ id, sessionOwner: { accountId }, actor, body: { name }, change }) => {
        await change((trx) => renamePasskey(trx, accountId, { id, name }, actor));
        return emptyResponse();
      },
    }),
    route('DELETE /admin/passkeys/:id', {
      needs: 'session',
      handle: async ({ id, sessionOwner: { accountId, userId, sessionId }, actor, ctx, change }) => {
        const isTold = await change((trx) => removePasskey(trx, accountId, { sessionId, id }, actor, config));
        if (!isTold)
          log.warn(
            { requestId: ctx.id, accountId, userId },
            'no notice of a removed passkey: the mailbox has reached its limit',
          );
        onMailQueued();
        return emptyResponse();
      },
    }),
    route('POST /admin/passkeys/:id/restore', {
      needs: 'session',
      handle: async ({ id, sessionOwner: { accountId, sessionId }, actor, change }) => {
        await change((trx) => restorePasskey(trx, accountId, { sessionId, id }, actor, config));
        onMailQueued();
        return emptyResponse();
      },
    }),
  ];
}

function passkeyJson(passkey: Awaited<ReturnType<typeof listPasskeys>>[number]) {
  return {
    id: passkey.id,
    name: passkey.name,
    isBackedUp: passkey.is_backed_up === 1,
    createdAt: passkey.created_at,
    lastUsedAt: passkey.last_used_at,
  };
}
