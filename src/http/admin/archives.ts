import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ArchiveRow,
  archiveFolder,
  findArchive,
  requestArchive,
  takeArchive,
} from '../../account-archives/requests.ts';
import { getAccount } from '../../accounts/account.ts';
import type { HttpResponse } from '../request-context.ts';
import { streamed } from '../streamed.ts';
import type { ArchiveJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { failure } from './failure.ts';
import { fileToSave, jsonResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';
import { assertStillAdmitted } from './signed-in.ts';

/** How much of an archive is sent between two checks of the session. */
const CHUNK_BYTES = 256 * 1024;

/** Returns the routes for the archive of all data of the account, which the service makes on request. */
export function archiveRoutes(dependencies: RouteDependencies): AdminRoute[] {
  const { db } = dependencies;
  return [
    route('GET /admin/archive', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: async ({ sessionOwner: { accountId } }) => {
        const archive = await findArchive(db, accountId);
        return jsonResponse(200, { archive: archive ? archiveJson(archive) : null });
      },
    }),
    route('POST /admin/archive', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: async ({ sessionOwner: { accountId }, actor, change }) => {
        const archive = await change((trx) => requestArchive(trx, accountId, actor));
        return jsonResponse(201, archiveJson(archive));
      },
    }),
    route('GET /admin/archive/file', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: (request) => download(dependencies, request),
    }),
  ];
}

function archiveJson({ state, created_at, actor, expires_at, bytes }: ArchiveRow): ArchiveJson {
  return { state, createdAt: created_at, createdBy: actor, expiresAt: expires_at, bytes };
}

async function download(
  { db, config }: RouteDependencies,
  { sessionOwner, actor, ctx, change }: SignedInRequest,
): Promise<HttpResponse> {
  const { accountId } = sessionOwner;
  const { subdomain } = await getAccount(db, accountId);
  const headersFor = (bytes: number) =>
    fileToSave(`${subdomain}.zip`, 'application/zip').concat('Content-Length', String(bytes));
  if (ctx.request.method === 'HEAD') {
    const archive = await findArchive(db, accountId);
    return archive?.bytes ? { status: 200, headers: headersFor(archive.bytes), body: '' } : missing();
  }
  const { file: name } = await change((trx) => takeArchive(trx, accountId, actor));
  const file = await open(join(archiveFolder(config.dataDir), name)).catch(() => undefined);
  if (!file) return missing();
  const { size } = await file.stat();
  const source = file.createReadStream({ highWaterMark: CHUNK_BYTES });
  const assertAdmitted = () => assertStillAdmitted(db, sessionOwner);
  return { status: 200, headers: headersFor(size), body: streamed(source, size, assertAdmitted) };
}

function missing(): HttpResponse {
  return failure(404, 'not_found', 'The archive does not exist.');
}
