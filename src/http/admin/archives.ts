import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArchiveRow, archiveFolder, findArchive, requestArchive } from '../../account-archives/requests.ts';
import { getAccount } from '../../accounts/account.ts';
import type { HttpResponse } from '../request-context.ts';
import { streamed } from '../streamed.ts';
import type { ArchiveJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { failure } from './failure.ts';
import { fileToSave, jsonResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';

/** The archive of everything of the account, which the service makes when somebody asks for it. */
export function archiveRoutes(dependencies: RouteDependencies): AdminRoute[] {
  const { db } = dependencies;
  return [
    {
      method: 'GET',
      path: '/admin/archive',
      needs: 'update_settings',
      impersonation: 'refused',
      handle: async ({ caller: { accountId } }) => {
        const archive = await findArchive(db, accountId);
        return jsonResponse(200, { archive: archive ? archiveJson(archive) : null });
      },
    },
    route({
      method: 'POST',
      path: '/admin/archive',
      needs: 'update_settings',
      impersonation: 'refused',
      handle: async ({ caller: { accountId }, actor, change }) => {
        const archive = await change((trx) => requestArchive(trx, accountId, actor));
        return jsonResponse(201, archiveJson(archive));
      },
    }),
    {
      method: 'GET',
      path: '/admin/archive/file',
      needs: 'update_settings',
      impersonation: 'refused',
      handle: (request) => download(dependencies, request),
    },
  ];
}

function archiveJson({ state, created_at, actor, expires_at, bytes }: ArchiveRow): ArchiveJson {
  return { state, createdAt: created_at, createdBy: actor, expiresAt: expires_at, bytes };
}

async function download(
  { db, config }: RouteDependencies,
  { caller: { accountId }, ctx }: SignedInRequest,
): Promise<HttpResponse> {
  const archive = await findArchive(db, accountId);
  const missing = () => failure(404, 'not_found', 'The archive does not exist.');
  if (!archive?.file) return missing();
  const file = await open(join(archiveFolder(config.dataDir), archive.file)).catch(() => undefined);
  if (!file) return missing();
  const { size } = await file.stat();
  const { subdomain } = await getAccount(db, accountId);
  const headers = fileToSave(`${subdomain}.zip`, 'application/zip').concat('Content-Length', String(size));
  if (ctx.request.method === 'HEAD') {
    await file.close();
    return { status: 200, headers, body: '' };
  }
  return { status: 200, headers, body: streamed(file.createReadStream(), size) };
}
