import { type AuditEventRow, listAuditEvents } from '../../audit/list-audit-events.ts';
import { partOf } from '../../db/part-of.ts';
import { logQuery } from './contract/settings.ts';
import type { LogEntryJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

const PAGE_SIZE = 50;

/** Returns the routes for the audit log of an account, the latest events first. */
export function logRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/log', {
      needs: 'manage_users',
      query: logQuery,
      handle: async ({ sessionOwner: { accountId }, query: { by, before } }) => {
        const events = await listAuditEvents(db, accountId, { by, before, limit: PAGE_SIZE + 1 });
        const { shown, hasMore } = partOf(events, PAGE_SIZE);
        return jsonResponse(200, { entries: shown.map(toJson), hasMore });
      },
    }),
  ];
}

function toJson(event: AuditEventRow): LogEntryJson {
  const { keyName, keyLast4 } = event;
  return {
    id: event.id,
    actor: event.actor,
    userId: event.user_id,
    key: keyName === null || keyLast4 === null ? null : { name: keyName, last4: keyLast4 },
    action: event.action,
    subject: event.subject,
    pageId: event.pageId,
    isInTrash: event.isInTrash,
    details: JSON.parse(event.details),
    ip: event.ip,
    at: event.at,
  };
}
