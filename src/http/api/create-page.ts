import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { createPage } from '../../pages/create-page.ts';
import { createPageAtOnce } from '../../pages/create-page-at-once.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { create } from './create.ts';
import type { ApiDependencies } from './dependencies.ts';
import { pageSchema } from './operations.ts';

/** `POST /api/pages.json` */
export function createPageRoute(
  dependencies: ApiDependencies,
  ctx: RequestContext,
  caller: KeyOwner,
): Promise<HttpResponse> {
  return create(dependencies, ctx, caller, {
    operation: 'create page',
    schema: pageSchema,
    noErrors: [],
    malformedMessage: 'Invalid format',
    present: ({ failures }) => failures,
    prepare: async (fields) => {
      const { accountId, userId, keyId } = caller;
      const input = {
        name: fields.get('name'),
        body: fields.get('body'),
        parentId: fields.get('parent_id'),
        isHidden: fields.get('is_hidden'),
        description: fields.get('description'),
        bodyFormat: fields.get('body_format'),
        userId,
        quota: dependencies.config.pageQuota,
        apiClient: { keyId, ip: ctx.ip },
      };
      return {
        make: (trx) => createPage(trx, accountId, input),
        makeAtOnce: async (db) => (await createPageAtOnce(db, accountId, input)) !== undefined,
      };
    },
  });
}
