import { listApiKeys } from '../../api-keys/list-api-keys.ts';
import { readScopes } from '../../api-keys/scopes.ts';
import { issueKey } from '../../membership/issue-key.ts';
import { restoreKey } from '../../membership/restore-key.ts';
import { revokeKey } from '../../membership/revoke-key.ts';
import { revokeKeyAndIssued } from '../../membership/revoke-key-and-issued.ts';
import { rotateKey } from '../../membership/rotate-key.ts';
import { changeById } from './change-by-id.ts';
import { issueKeyInput, rotateKeyInput } from './contract/settings.ts';
import type { ApiKeyJson, IssuedKeyJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Returns the routes for the account's API keys. Only the answer that issues a key contains it. */
export function keyRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/keys', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: async ({ sessionOwner: { accountId } }) => {
        const keys = (await listApiKeys(db, { accountId })).map(keyJson);
        return jsonResponse(200, { keys });
      },
    }),
    route('POST /admin/keys', {
      needs: 'update_settings',
      impersonation: 'refused',
      body: issueKeyInput,
      handle: async ({ sessionOwner: { accountId, userId }, actor, body, change }) => {
        const issued = await change((trx) => issueKey(trx, accountId, { userId, ...body }, actor));
        return jsonResponse(201, issued satisfies IssuedKeyJson);
      },
    }),
    route('POST /admin/keys/:id/rotate', {
      needs: 'update_settings',
      impersonation: 'refused',
      body: rotateKeyInput,
      handle: async ({ id, sessionOwner: { accountId }, actor, body: { overlapHours: hours }, change }) => {
        const input = { overlapMs: hours && hours * HOUR_MS, lifetimeMs: undefined };
        const issued = await change((trx) => rotateKey(trx, accountId, id, input, actor));
        return jsonResponse(201, { id: issued.id, key: issued.key } satisfies IssuedKeyJson);
      },
    }),
    route('DELETE /admin/keys/:id', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: changeById(revokeKey),
    }),
    route('POST /admin/keys/:id/revoke-with-issued', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: changeById(revokeKeyAndIssued),
    }),
    route('POST /admin/keys/:id/restore', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: changeById(restoreKey),
    }),
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
    scopes: readScopes(key.scopes),
    issuerName: key.issuerName,
    issuedKeys: key.issuedKeys,
  };
}
