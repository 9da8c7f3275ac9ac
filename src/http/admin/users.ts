import { changeMember } from '../../membership/change-member.ts';
import { removeMember } from '../../membership/remove-member.ts';
import { restoreMember } from '../../membership/restore-member.ts';
import { getUser } from '../../users/get-user.ts';
import { countInvitation, inviteAgain, inviteUser } from '../../users/invite-user.ts';
import { listUsers } from '../../users/list-users.ts';
import { changeById } from './change-by-id.ts';
import { changeUserInput, inviteUserInput } from './contract/settings.ts';
import type { UserJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** Returns the routes for the users of the account. */
export function userRoutes({ db, config, onMailQueued }: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/users', {
      needs: 'manage_users',
      handle: async ({ sessionOwner: { accountId } }) => {
        const users = await listUsers(db, accountId);
        return jsonResponse(200, { users: users.map(userJson) });
      },
    }),
    route('POST /admin/users', {
      needs: 'manage_users',
      body: inviteUserInput,
      handle: async ({ sessionOwner: { accountId }, actor, body: input, change }) => {
        await countInvitation(db, accountId, input.email);
        const id = await change((trx) => inviteUser(trx, accountId, input, actor, config));
        onMailQueued();
        return jsonResponse(201, { id });
      },
    }),
    route('POST /admin/users/:id/invite', {
      needs: 'manage_users',
      handle: async ({ id, sessionOwner: { accountId }, actor, change }) => {
        const { email } = await getUser(db, accountId, id);
        await countInvitation(db, accountId, email);
        await change((trx) => inviteAgain(trx, accountId, id, actor, config));
        onMailQueued();
        return emptyResponse();
      },
    }),
    route('PATCH /admin/users/:id', {
      needs: 'manage_users',
      body: changeUserInput,
      handle: async ({ id, sessionOwner: { accountId }, actor, body, change }) => {
        await change((trx) => changeMember(trx, accountId, id, body, actor));
        return emptyResponse();
      },
    }),
    route('DELETE /admin/users/:id', {
      needs: 'manage_users',
      handle: changeById(removeMember),
    }),
    route('POST /admin/users/:id/restore', {
      needs: 'manage_users',
      handle: changeById(restoreMember),
    }),
  ];
}

function userJson(user: Awaited<ReturnType<typeof listUsers>>[number]): UserJson {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    // SQLite returns 0 or 1.
    hasAccepted: Boolean(user.hasPassword),
    hasSecondFactor: user.secondFactorSince !== null,
    createdAt: user.created_at,
    lastSeenAt: user.lastSeenAt,
    keyCount: Number(user.keyCount),
  };
}
