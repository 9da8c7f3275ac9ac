import { type DeedRow, type ListDeedsInput, listDeeds } from '../../audit/list-deeds.ts';
import { AppError } from '../../errors.ts';
import { answerJson } from './answers.ts';
import type { LogEntryJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { readId } from './request.ts';
import type { AdminRoute } from './route.ts';

const AT_ONCE = 50;

/** Who did what to what, when and from where: the latest first, 50 at a time. */
export function logRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/log',
      needs: 'manage_users',
      handle: async ({ caller: { accountId }, query }) => {
        const by = query('by');
        if (by !== undefined && by !== 'people' && by !== 'programs')
          throw new AppError('malformed', '"by" must be people or programs.');
        const page: ListDeedsInput = { by, before: readId(query, 'before'), limit: AT_ONCE + 1 };
        const deeds = await listDeeds(db, accountId, page);
        return answerJson(200, { entries: deeds.slice(0, AT_ONCE).map(toJson), hasMore: deeds.length > AT_ONCE });
      },
    },
  ];
}

function toJson(deed: DeedRow): LogEntryJson {
  const { keyName, keyLast4 } = deed;
  return {
    id: deed.id,
    actor: deed.actor,
    userId: deed.user_id,
    key: keyName === null || keyLast4 === null ? null : { name: keyName, last4: keyLast4 },
    action: deed.action,
    subject: deed.subject,
    pageId: deed.pageId,
    details: JSON.parse(deed.details),
    ip: deed.ip,
    at: deed.at,
  };
}
