import { type AuditEventRow, type ListAuditEventsInput, listAuditEvents } from '../../audit/list-audit-events.ts';
import { logQuery } from './contract/settings.ts';
import type { LogEntryJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

const PAGE_SIZE = 50;

/** The audit log of an account: the latest events first, 50 at a time. */
export function logRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'GET',
      path: '/admin/log',
      needs: 'manage_users',
      query: logQuery,
      handle: async ({ caller: { accountId }, query: { by, before } }) => {
        const page: ListAuditEventsInput = { by, before, limit: PAGE_SIZE + 1 };
        const events = await listAuditEvents(db, accountId, page);
        return jsonResponse(200, {
          entries: events.slice(0, PAGE_SIZE).map(toJson),
          hasMore: events.length > PAGE_SIZE,
        });
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
