import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import { listApiKeys } from '../../api-keys/list-api-keys.ts';
import { restoreApiKey } from '../../api-keys/restore-api-keys.ts';
import { revokeApiKey } from '../../api-keys/revoke-api-key.ts';
import { rotateApiKey } from '../../api-keys/rotate-api-key.ts';
import { ValidationError } from '../../errors.ts';
import type { ApiKeyJson, IssuedKeyJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import type { AdminRoute } from './route.ts';

const HOUR_MS = 60 * 60 * 1000;
/** How long a rotated key still works, by default and at most. */
const DEFAULT_OVERLAP_HOURS = 24;
const MAX_OVERLAP_HOURS = 24 * 90;

/** The account's API keys. A key is in the answer that issues it, and in no other. */
export function keyRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/keys',
      needs: 'update_settings',
      handle: async ({ caller: { accountId } }) => {
        const keys = (await listApiKeys(db, { accountId })).map(keyJson);
        return jsonResponse(200, { keys });
      },
    },
    {
      method: 'POST',
      path: '/admin/keys',
      needs: 'update_settings',
      handle: async ({ caller, fields, change }) => {
        const { accountId, userId } = caller;
        const body = await fields();
        const name = body.text('name');
        const expiresAt = body.has('expiresAt') ? body.nullableInteger('expiresAt') : null;
        if (expiresAt !== null && expiresAt <= Date.now())
          throw new ValidationError([{ field: 'expiresAt', code: 'in_the_past' }]);
        const issued = await change(async (trx, record) => {
          const made = await issueApiKey(trx, accountId, { userId, name, expiresAt });
          record('key.issued', `key_${made.id}`, { name: name.trim() });
          return made;
        });
        return jsonResponse(201, issued satisfies IssuedKeyJson);
      },
    },
    {
      method: 'POST',
      path: '/admin/keys/:id/rotate',
      needs: 'update_settings',
      handle: async ({ id, caller, fields, change }) => {
        const { accountId, userId } = caller;
        const hours = (await fields()).optionalInteger('overlapHours') ?? DEFAULT_OVERLAP_HOURS;
        if (hours < 0 || hours > MAX_OVERLAP_HOURS) {
          throw new ValidationError([
            { field: 'overlapHours', code: 'out_of_range', params: { min: 0, max: MAX_OVERLAP_HOURS } },
          ]);
        }
        const issued = await change(async (trx, record) => {
          // It is the caller's from now on, who knows it: were they to leave, it would have to end with their other keys.
          const input = { userId, overlap: hours * HOUR_MS, lifetime: undefined };
          const made = await rotateApiKey(trx, accountId, id, input);
          record('key.rotated', `key_${id}`, { successor: `key_${made.id}`, overlapHours: hours });
          return made;
        });
        return jsonResponse(201, { id: issued.id, key: issued.key } satisfies IssuedKeyJson);
      },
    },
    {
      method: 'DELETE',
      path: '/admin/keys/:id',
      needs: 'update_settings',
      handle: async ({ id, caller: { accountId, userId }, change }) => {
        await change(async (trx, record) => {
          if (await revokeApiKey(trx, accountId, { keyId: id, userId })) record('key.revoked', `key_${id}`);
        });
        return emptyResponse();
      },
    },
    {
      method: 'POST',
      path: '/admin/keys/:id/restore',
      needs: 'update_settings',
      handle: async ({ id, caller: { accountId }, change }) => {
        await change(async (trx, record) => {
          await restoreApiKey(trx, accountId, id);
          record('key.restored', `key_${id}`);
        });
        return emptyResponse();
      },
    },
  ];
}

function keyJson(key: Awaited<ReturnType<typeof listApiKeys>>[number]): ApiKeyJson {
  return {
    id: key.id,
    name: key.name,
    last4: key.last4,
    userName: key.userName,
    createdAt: key.created_at,
    expiresAt: key.expires_at,
    revokedAt: key.revoked_at,
    lastUsedAt: key.last_used_at,
    lastUsedIp: key.last_used_ip,
  };
}
