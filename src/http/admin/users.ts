import { restoreKeysOfUser } from '../../api-keys/restore-api-keys.ts';
import { revokeKeysOfUser } from '../../api-keys/revoke-keys-of-user.ts';
import { changeUser } from '../../users/change-user.ts';
import { getUser } from '../../users/get-user.ts';
import { countInvitation, inviteAgain, inviteUser } from '../../users/invite-user.ts';
import { listUsers } from '../../users/list-users.ts';
import { removeUser } from '../../users/remove-user.ts';
import { restoreUser } from '../../users/restore-user.ts';
import { permissionsOf, type Role } from '../../users/roles.ts';
import type { UserJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import type { AdminRoute, SignedInRequest } from './route.ts';

/** The people of the account. */
export function userRoutes({ db, config, onMailQueued }: RouteDependencies): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/users',
      needs: 'manage_users',
      handle: async ({ caller: { accountId } }) => {
        const users = await listUsers(db, accountId);
        return jsonResponse(200, { users: users.map(userJson) });
      },
    },
    {
      method: 'POST',
      path: '/admin/users',
      needs: 'manage_users',
      handle: async ({ caller, fields, change }) => {
        const body = await fields();
        const input = { name: body.text('name'), email: body.text('email'), role: body.text('role') };
        await countInvitation(db, caller.accountId, input.email);
        const id = await change(async (trx, record) => {
          const userId = await inviteUser(trx, caller.accountId, input, caller, config);
          record('user.invited', `user_${userId}`, {
            name: input.name.trim(),
            email: input.email.trim(),
            role: input.role,
          });
          return userId;
        });
        onMailQueued();
        return jsonResponse(201, { id });
      },
    },
    {
      method: 'POST',
      path: '/admin/users/:id/invite',
      needs: 'manage_users',
      handle: async ({ id, caller, change }) => {
        const { email } = await getUser(db, caller.accountId, id);
        await countInvitation(db, caller.accountId, email);
        await change(async (trx, record) => {
          await inviteAgain(trx, caller.accountId, id, caller, config);
          record('user.invited', `user_${id}`, { again: true });
        });
        onMailQueued();
        return emptyResponse();
      },
    },
    {
      method: 'PATCH',
      path: '/admin/users/:id',
      needs: 'manage_users',
      handle: changePerson,
    },
    {
      method: 'DELETE',
      path: '/admin/users/:id',
      needs: 'manage_users',
      handle: async ({ id, caller, change }) => {
        const { accountId } = caller;
        await change(async (trx, record) => {
          const { name, email } = await removeUser(trx, accountId, { userId: id, by: caller });
          // The user knows these keys, and would keep access by them.
          const keysRevoked = await revokeKeysOfUser(trx, accountId, { userId: id, by: caller });
          record('user.removed', `user_${id}`, { name, email, keysRevoked });
        });
        return emptyResponse();
      },
    },
    {
      method: 'POST',
      path: '/admin/users/:id/restore',
      needs: 'manage_users',
      handle: async ({ id, caller, change }) => {
        const { accountId, role } = caller;
        await change(async (trx, record) => {
          const { name, email } = await restoreUser(trx, accountId, id, role);
          const keysRestored = await restoreKeysOfUser(trx, accountId, id);
          record('user.restored', `user_${id}`, { name, email, keysRestored });
        });
        return emptyResponse();
      },
    },
  ];
}

async function changePerson({ id, caller, fields, change }: SignedInRequest) {
  const { accountId } = caller;
  const body = await fields();
  const input = { name: body.optionalText('name'), role: body.optionalText('role') };
  const withKeys = body.optionalFlag('withKeys') ?? false;
  await change(async (trx, record) => {
    const { name, role } = await changeUser(trx, accountId, id, input, caller.role);
    const { role: now } = await getUser(trx, accountId, id);
    // A key may do everything, whatever the role of its user: who may not issue any keeps none.
    const loses = mayIssueKeys(role) && !mayIssueKeys(now);
    const keysRevoked = loses ? await revokeKeysOfUser(trx, accountId, { userId: id, by: caller }) : 0;
    const keysRestored = withKeys && mayIssueKeys(now) ? await restoreKeysOfUser(trx, accountId, id) : 0;
    record('user.changed', `user_${id}`, {
      name: input.name?.trim() ?? name,
      ...(now !== role && { from: role, to: now }),
      ...(keysRevoked > 0 && { keysRevoked }),
      ...(keysRestored > 0 && { keysRestored }),
    });
  });
  return emptyResponse();
}

function mayIssueKeys(role: Role): boolean {
  return permissionsOf(role).includes('update_settings');
}

function userJson(user: Awaited<ReturnType<typeof listUsers>>[number]): UserJson {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    // SQLite says 0 or 1.
    hasAccepted: Boolean(user.hasPassword),
    hasSecondFactor: user.secondFactorSince !== null,
    createdAt: user.created_at,
    lastSeenAt: user.lastSeenAt,
    keyCount: Number(user.keyCount),
  };
}
