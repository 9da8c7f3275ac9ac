import { LRUCache } from 'lru-cache';
import { accountId } from '../../accounts/account.ts';
import { type AccountSummary, getAccountSummary } from '../../accounts/account-summary.ts';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Db } from '../../db/database.ts';
import { Content, etagOf } from '../content.ts';
import { jsonHeaders } from '../json.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { accountTime } from './times.ts';

/** Handles `GET /api/account.json`. Responses are cached for as long as their data is unchanged. */
export function accountRoute(db: Db, addresses: { publicUrl: string; sitesDomain: string }) {
  const cache = new LRUCache<number, { caller: KeyOwner; content: Content }>({ max: 5000 });

  const make = async (caller: KeyOwner): Promise<Content> => {
    const { accountId } = caller;
    const summary = await getAccountSummary(db, accountId, addresses);
    const bytes = Buffer.from(JSON.stringify({ account: present(summary) }));
    const content = new Content(bytes, jsonHeaders, etagOf(bytes));
    cache.set(accountId, { caller, content });
    return content;
  };

  return (ctx: RequestContext, caller: KeyOwner): HttpResponse | Promise<HttpResponse> => {
    const found = cache.get(caller.accountId);
    if (found && isUnchanged(found.caller, caller)) return found.content.answer(ctx);
    return make(caller).then((content) => content.answer(ctx));
  };
}

/** Compares everything that the response depends on: the account's settings, its plans, and its own plan. */
function isUnchanged(then: KeyOwner, now: KeyOwner): boolean {
  return (
    then.contentVersion === now.contentVersion &&
    then.customersVersion === now.customersVersion &&
    then.planPriceCents === now.planPriceCents &&
    then.planName === now.planName
  );
}

function present(summary: AccountSummary) {
  return {
    id: accountId(summary.id),
    name: summary.name,
    url: summary.url,
    created_at: accountTime(summary.createdAt),
    plan_name: summary.planName,
    plan_price: summary.planPrice,
    paying_customers_count: summary.payingCustomers,
    free_customers_count: summary.freeCustomers,
    monthly_revenue: summary.monthlyRevenue,
    quarterly_revenue: summary.quarterlyRevenue,
    annual_revenue: summary.annualRevenue,
  };
}
