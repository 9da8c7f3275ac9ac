import { siteUrl } from '../../addresses.ts';
import {
  changeTemplate,
  moveTemplate,
  offerTemplate,
  restoreTemplate,
  retireTemplate,
} from '../../templates/change-template.ts';
import { listTemplates } from '../../templates/templates.ts';
import { changeTemplateInput, moveTemplateInput, offerTemplateInput } from './contract/templates.ts';
import type { TemplatesJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** Returns the routes for templates: the sites that the account's new customers can start from. */
export function templateRoutes({ db, config }: RouteDependencies): AdminRoute[] {
  const list = async (accountId: number, status = 200) => {
    const templates = await listTemplates(db, accountId);
    return jsonResponse(status, {
      templates: templates.map(({ id, name, description, site_id: siteId, siteName, isGone, sites, ...rest }) => ({
        id,
        name,
        description,
        siteId,
        siteName,
        isGone,
        sites,
        address: siteUrl(rest, config),
        retiredAt: rest.retired_at,
      })),
    } satisfies TemplatesJson);
  };
  /** Returns the route that applies a verb to one template, with no input but its id. */
  const verbRoute = (path: `/admin/templates/${string}`, verb: typeof retireTemplate) =>
    route(`POST ${path}`, {
      needs: 'manage_customers',
      handle: async ({ id, sessionOwner: { accountId }, actor, change }) => {
        await change((trx) => verb(trx, accountId, id, actor));
        return list(accountId);
      },
    });
  return [
    route('GET /admin/templates', {
      needs: 'manage_customers',
      handle: ({ sessionOwner: { accountId } }) => list(accountId),
    }),
    route('POST /admin/templates', {
      needs: 'manage_customers',
      body: offerTemplateInput,
      handle: async ({ sessionOwner: { accountId }, actor, body, change }) => {
        await change((trx) => offerTemplate(trx, accountId, body, actor));
        return list(accountId, 201);
      },
    }),
    route('PATCH /admin/templates/:id', {
      needs: 'manage_customers',
      body: changeTemplateInput,
      handle: async ({ id, sessionOwner: { accountId }, actor, body, change }) => {
        await change((trx) => changeTemplate(trx, accountId, { id, ...body }, actor));
        return list(accountId);
      },
    }),
    route('POST /admin/templates/:id/move', {
      needs: 'manage_customers',
      body: moveTemplateInput,
      handle: async ({ id, sessionOwner: { accountId }, actor, body: { position }, change }) => {
        await change((trx) => moveTemplate(trx, accountId, { id, position }, actor));
        return list(accountId);
      },
    }),
    verbRoute('/admin/templates/:id/retire', retireTemplate),
    verbRoute('/admin/templates/:id/restore', restoreTemplate),
  ];
}
