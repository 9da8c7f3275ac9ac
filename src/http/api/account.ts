import { LRUCache } from 'lru-cache';
import { formatAccountId } from '../../accounts/account.ts';
import { type AccountSummary, getAccountSummary } from '../../accounts/account-summary.ts';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { counts } from '../../counts.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { queryValues } from '../../query.ts';
import { isDay, today } from '../../revenue/days.ts';
import { getTimeZone } from '../../revenue/get-time-zone.ts';
import { getSummaryAsOf } from '../../revenue/summary-as-of.ts';
import { Content, etagOf } from '../content.ts';
import { jsonHeaders } from '../json.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { badRequest } from './answers.ts';
import { countSchema, idSchema, objectSchema, ref, type Schema, textSchema } from './json-schema.ts';
import { type OperationHandler, readOperation } from './operation.ts';
import { isKeyAlone } from './query-parameters.ts';
import { accountTime } from './times.ts';

const NOT_A_DAY = '"as_of" must be a day like 2026-06-30.';
const IN_THE_FUTURE = '"as_of" must not be in the future.';

export const getAccountOperation = readOperation('GET /api/account.json', {
  id: 'getAccount',
  tag: 'Account',
  scope: 'revenue:read',
  summary: 'Account information',
  description:
    "A summary of the key owner's account: its plan, its customers and what they bring in, now or at the end of a past day.",
  queryParameters: {
    as_of: {
      ...textSchema(
        "A day up to today, in the account's time zone: plan, customers and revenue are as they were at its end.",
        '2026-06-30',
      ),
      format: 'date',
    },
  },
  answers: [
    { status: 200, schema: 'AccountInformation', description: 'The account.' },
    badRequest('`as_of` is not a day, or is given twice.', NOT_A_DAY),
    {
      status: 422,
      schema: 'Failure',
      description: '`as_of` is a day in the future.',
      example: { response: false, errors: IN_THE_FUTURE },
    },
  ],
  schemas: {
    AccountInformation: objectSchema({ account: ref('Account') }),
    Account: objectSchema({
      id: idSchema('account', 'Account identifier.'),
      name: textSchema('Account name.', 'Riverside Web Studio'),
      url: textSchema("Public address of the account's site.", 'https://riverside.example.com'),
      created_at: {
        ...textSchema('Creation time.', '2003-04-09 08:56:03 +0000'),
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} [+-][0-9]{4}$',
      },
      plan_name: textSchema('Name of the plan the account itself is on.', 'Self-hosted'),
      plan_price: decimalSchema('Price of that plan.', '0.00'),
      paying_customers_count: countSchema('Number of active customers whose plan has a price.', 12),
      free_customers_count: countSchema('Number of active customers whose plan is free.', 30),
      monthly_revenue: decimalSchema("A twelfth of the year's revenue.", '588.00'),
      quarterly_revenue: decimalSchema("A quarter of the year's revenue.", '1764.00'),
      annual_revenue: decimalSchema(
        "What the paying customers' plans bring in over a year, at today's prices.",
        '7056.00',
      ),
    }),
  },
  handler: ({ db, config }) => accountHandler(db, config),
});

/** Returns the handler. It caches responses until their data change. */
function accountHandler(db: Db, addresses: { publicUrl: string; sitesDomain: string }): OperationHandler {
  const cache = new LRUCache<number, { keyOwner: KeyOwner; content: Content }>({ max: 5000 });

  const make = async (keyOwner: KeyOwner): Promise<Content> => {
    const { accountId } = keyOwner;
    const summary = await getAccountSummary(db, accountId, addresses);
    const bytes = Buffer.from(JSON.stringify({ account: present(summary) }));
    const content = new Content(bytes, jsonHeaders, etagOf(bytes));
    cache.set(accountId, { keyOwner, content });
    return content;
  };

  const makeAsOf = async ({ accountId }: KeyOwner, day: string): Promise<Content> => {
    if (day > today(await getTimeZone(db, accountId))) throw new AppError('invalid', IN_THE_FUTURE);
    const { plan, ...past } = await getSummaryAsOf(db, accountId, day);
    const summary = { ...(await getAccountSummary(db, accountId, addresses)), ...past, ...plan };
    const bytes = Buffer.from(JSON.stringify({ account: present(summary) }));
    return new Content(bytes, jsonHeaders, etagOf(bytes));
  };

  return (ctx: RequestContext, keyOwner: KeyOwner): HttpResponse | Promise<HttpResponse> => {
    const day = readAsOf(ctx.query);
    if (day !== undefined) return makeAsOf(keyOwner, day).then((content) => content.answer(ctx));
    const found = cache.get(keyOwner.accountId);
    if (found && isUnchanged(found.keyOwner, keyOwner)) {
      counts.caches.accounts.hits += 1;
      return found.content.answer(ctx);
    }
    counts.caches.accounts.misses += 1;
    return make(keyOwner).then((content) => content.answer(ctx));
  };
}

/** Returns the day in `as_of`, or undefined for the present. */
function readAsOf(query: string): string | undefined {
  if (isKeyAlone(query)) return undefined;
  const [day, ...more] = queryValues(query, 'as_of');
  if (day === undefined || (isDay(day) && more.length === 0)) return day;
  throw new AppError('malformed', NOT_A_DAY);
}

/**
 * Returns whether everything that the response depends on is unchanged: the account's settings, its plans, and its own plan.
 */
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
    id: formatAccountId(summary.id),
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

function decimalSchema(description: string, example: string): Schema {
  return { ...textSchema(`${description} A decimal number.`, example), pattern: '^[0-9]+\\.[0-9]{2}$' };
}
