import { partWithNext } from '../../db/part-of.ts';
import type { PageChange } from '../../templates/compare-pages.ts';
import { comparePage, previewPush } from '../../templates/preview-push.ts';
import { readResult } from '../../templates/push-result.ts';
import { getPush, listPushes, listPushSites, type Push, startPush, undoPush } from '../../templates/pushes.ts';
import { stopPush } from '../../templates/stop-push.ts';
import { getTemplate } from '../../templates/templates.ts';
import { comparePageQuery, pushPreviewQuery, pushSitesQuery, startPushInput } from './contract/templates.ts';
import type {
  ComparedPageJson,
  PageVersionJson,
  PushesJson,
  PushJson,
  PushPreviewJson,
  PushSitesJson,
  SitePreviewJson,
} from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** How many sites one response lists. */
const PAGE_SIZE = 50;

/** Returns the routes for pushing changes of templates to the sites created from them. The service does so in the background. */
export function templatePushRoutes({ db, config }: RouteDependencies): AdminRoute[] {
  const needs = 'manage_customers';
  return [
    route('GET /admin/templates/:id/preview', {
      needs,
      query: pushPreviewQuery,
      handle: async ({ id: templateId, sessionOwner: { accountId }, query: { after } }) => {
        const { sites, ...rest } = await previewPush(db, accountId, { templateId, after, limit: PAGE_SIZE }, config);
        return jsonResponse(200, { ...rest, sites: sites.map(previewJson) } satisfies PushPreviewJson);
      },
    }),
    route('GET /admin/template-sites/:id/page', {
      needs,
      query: comparePageQuery,
      handle: async ({ id: siteId, sessionOwner: { accountId }, query: { source: sourceId } }) => {
        const { template, site } = await comparePage(db, accountId, { siteId, sourceId }, config);
        return jsonResponse(200, {
          template: template && versionJson(template),
          site: site && versionJson(site),
        } satisfies ComparedPageJson);
      },
    }),
    route('GET /admin/templates/:id/pushes', {
      needs,
      handle: async ({ id, sessionOwner: { accountId } }) => {
        await getTemplate(db, accountId, id);
        return jsonResponse(200, {
          pushes: (await listPushes(db, accountId, id)).map(pushJson),
        } satisfies PushesJson);
      },
    }),
    route('POST /admin/templates/:id/pushes', {
      needs,
      body: startPushInput,
      handle: async ({
        id: templateId,
        sessionOwner: { accountId },
        body: { version: seenVersion },
        actor,
        change,
      }) => {
        const push = await change(async (trx) =>
          getPush(trx, accountId, await startPush(trx, accountId, { templateId, seenVersion }, actor)),
        );
        return jsonResponse(201, pushJson(push));
      },
    }),
    route('GET /admin/template-pushes/:id', {
      needs,
      handle: async ({ id, sessionOwner: { accountId } }) =>
        jsonResponse(200, pushJson(await getPush(db, accountId, id))),
    }),
    route('GET /admin/template-pushes/:id/sites', {
      needs,
      query: pushSitesQuery,
      handle: async ({ id, sessionOwner: { accountId }, query: { after, only } }) => {
        await getPush(db, accountId, id);
        const rows = await listPushSites(db, id, { after, limit: PAGE_SIZE + 1, only });
        const { shown, next } = partWithNext(rows, PAGE_SIZE, ({ siteId }) => siteId);
        return jsonResponse(200, { sites: shown.map(pushSiteJson), next } satisfies PushSitesJson);
      },
    }),
    verbRoute('/admin/template-pushes/:id/stop', stopPush),
    verbRoute('/admin/template-pushes/:id/undo', undoPush),
  ];
}

function verbRoute(path: `/admin/template-pushes/${string}`, verb: typeof stopPush): AdminRoute {
  return route(`POST ${path}`, {
    needs: 'manage_customers',
    handle: async ({ id, sessionOwner: { accountId }, actor, change }) => {
      const push = await change(async (trx) => {
        await verb(trx, accountId, id, actor);
        return getPush(trx, accountId, id);
      });
      return jsonResponse(200, pushJson(push));
    },
  });
}

function previewJson(site: { siteId: number; name: string; changes: readonly PageChange[] }): SitePreviewJson {
  const { siteId, name, changes } = site;
  const namesOf = (wanted: 'update' | 'add') =>
    changes.flatMap((change) => (change.kind === wanted ? [change.name] : []));
  const left = changes.flatMap((change) => (change.kind === 'left' ? [leftJson(change)] : []));
  return { siteId, name, updated: namesOf('update'), added: namesOf('add'), left };
}

function leftJson({ reason, sourceId, name }: SitePreviewJson['left'][number]) {
  return { reason, sourceId, name };
}

function pushSiteJson(row: Awaited<ReturnType<typeof listPushSites>>[number]): PushSitesJson['sites'][number] {
  const { siteId, name, state } = row;
  const { pages, left, kept = [], failure } = readResult(row.result);
  const namesOf = (wanted: 'updated' | 'added') => pages.flatMap((page) => (page.kind === wanted ? [page.name] : []));
  return {
    siteId,
    name,
    state,
    updated: namesOf('updated'),
    added: namesOf('added'),
    left: left.map(leftJson),
    kept: kept.map((page) => page.name),
    failure: failure ? { code: failure.code, fields: [...(failure.fields ?? [])], why: failure.why ?? null } : null,
  };
}

function pushJson(push: Push): PushJson {
  const { id, template_id: templateId, templateName, created_at, created_by, sites, changedPages, leftPages } = push;
  return {
    id,
    templateId,
    templateName,
    sites,
    changedPages,
    leftPages,
    createdAt: created_at,
    createdBy: created_by,
    state: stateOf(push),
  };
}

function stateOf({ finished_at, stopped_at, undo_begun_at, undone_at }: Push): PushJson['state'] {
  if (undone_at !== null) return 'undone';
  if (undo_begun_at !== null) return 'undoing';
  if (stopped_at !== null) return 'stopped';
  return finished_at === null ? 'running' : 'done';
}

function versionJson({ name, description, body, bodyFormat }: PageVersionJson): PageVersionJson {
  return { name, description, body, bodyFormat };
}
