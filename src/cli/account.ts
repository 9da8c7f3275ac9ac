import { formatAccountId, getAccount } from '../accounts/account.ts';
import { getAccountSummary } from '../accounts/account-summary.ts';
import { changeOwnPlan } from '../accounts/change-own-plan.ts';
import { changeSubdomain } from '../accounts/change-subdomain.ts';
import { type ListedAccount, listAccounts } from '../accounts/list-accounts.ts';
import { siteUrl } from '../addresses.ts';
import { operator } from '../audit/record-audit-event.ts';
import { megabytes } from '../megabytes.ts';
import { readBatches } from '../operations/read-in-batches.ts';
import { rebuildSearch } from '../pages/search-index.ts';
import { decimal } from '../plans/money.ts';
import { listUsers } from '../users/list-users.ts';
import { currencyCommand } from './account-currency.ts';
import { exportCommand, importCommand } from './archive-account.ts';
import { command, type Group } from './command.ts';
import { deleteAccountCommand } from './delete-account.ts';
import { explainHeldSubdomain } from './explain-held-subdomain.ts';
import { ACCOUNT, findAccount } from './find-account.ts';
import { mapBatches } from './listing.ts';
import { counted, facts, table, time } from './output.ts';

const list = command({
  about: 'Lists the top-level accounts, or all accounts.',
  options: { all: { type: 'boolean', about: 'Include customers, and their customers.' } },
  example: '--all',
  async run({ config, db, values }) {
    const accounts = readBatches<ListedAccount>((last, limit) =>
      listAccounts(db, { all: values.all === true, after: last?.id ?? 0, limit }),
    );
    return {
      listing: {
        name: 'accounts',
        head: ['ID', 'SUBDOMAIN', 'NAME', 'STATUS', 'CUSTOMER OF', 'PLAN', 'PRICE', 'CUSTOMERS', 'CREATED'],
        empty: 'There are no accounts. Create the first with setup.',
        parts: mapBatches(accounts, (account) => ({
          cells: [
            formatAccountId(account.id),
            account.subdomain,
            account.name,
            account.status,
            account.seller ?? '-',
            account.planName,
            decimal(account.planPriceCents),
            String(account.customers),
            time(account.created_at),
          ],
          json: {
            id: formatAccountId(account.id),
            name: account.name,
            subdomain: account.subdomain,
            url: siteUrl({ subdomain: account.subdomain, primaryHost: null }, config),
            status: account.status,
            customer_of: account.seller,
            plan_name: account.planName,
            plan_price: decimal(account.planPriceCents),
            customers_count: account.customers,
            created_at: time(account.created_at),
          },
        })),
      },
    };
  },
});

const show = command({
  about: 'Shows an account: plan, customers, revenue, users, and the size of its pages.',
  details: ACCOUNT,
  positionals: ['ACCOUNT'],
  options: {
    account: { type: 'string', value: 'ACCOUNT', about: 'Another way to name the account.', standsFor: 'ACCOUNT' },
  },
  example: 'acme',
  async run({ config, db, positionals }) {
    const { id, subdomain, status, parent_id, page_bytes, currency } = await findAccount(db, positionals[0]!);
    const summary = await getAccountSummary(db, id, config);
    const seller = parent_id === null ? null : (await getAccount(db, parent_id)).subdomain;
    const users = await listUsers(db, id);
    const account = {
      id: formatAccountId(id),
      name: summary.name,
      subdomain,
      url: summary.url,
      status,
      customer_of: seller,
      created_at: time(summary.createdAt),
      plan_name: summary.planName,
      plan_price: summary.planPrice,
      currency,
      paying_customers_count: summary.payingCustomers,
      free_customers_count: summary.freeCustomers,
      monthly_revenue: summary.monthlyRevenue,
      quarterly_revenue: summary.quarterlyRevenue,
      annual_revenue: summary.annualRevenue,
      page_bytes,
      page_quota: config.pageQuota,
    };
    return {
      text: `${facts({
        Account: `${account.name} (${account.id})`,
        Site: account.url,
        Status: account.status,
        'Customer of': seller ?? 'nobody',
        Created: account.created_at,
        Plan: `${account.plan_name} at ${account.plan_price}`,
        Customers: `${account.paying_customers_count} paying, ${account.free_customers_count} free`,
        Revenue: `${account.monthly_revenue} a month, ${account.quarterly_revenue} a quarter, ${account.annual_revenue} a year${currency === null ? '' : ` (${currency})`}`,
        Pages: `${megabytes(page_bytes)} of ${megabytes(config.pageQuota)}`,
      })}\n\n${table(
        ['USER', 'E-MAIL', 'ROLE'],
        users.map(({ name, email, role }) => [name, email, role]),
        'The account has no users.',
      )}`,
      json: { account: { ...account, users: users.map(({ name, email, role }) => ({ name, email, role })) } },
    };
  },
});

const subdomain = command({
  about: 'Changes the subdomain of an account.',
  details: `${ACCOUNT} The old subdomain stays reserved for 90 days.`,
  positionals: ['ACCOUNT', 'NEW'],
  example: 'acme acme-web',
  async run({ config, db, positionals: [old = '', wanted = ''] }) {
    const change = () =>
      db.transaction().execute(async (trx) => {
        const { id } = await findAccount(trx, old);
        await changeSubdomain(trx, id, wanted, config, operator);
        return getAccount(trx, id);
      });
    const account = await explainHeldSubdomain(db, wanted, change);
    const url = siteUrl({ subdomain: account.subdomain, primaryHost: null }, config);
    return {
      text: `The site of ${formatAccountId(account.id)} is now at ${url}`,
      json: { account: { id: formatAccountId(account.id), subdomain: account.subdomain, url } },
    };
  },
});

const plan = command({
  about: 'Sets the plan and price that a top-level account sees for itself.',
  details: `${ACCOUNT} By default, "Self-hosted" at 0.00. A customer is on a plan\nof its seller: see customer plan.`,
  positionals: ['ACCOUNT'],
  options: {
    name: { type: 'string', value: 'NAME', required: true, about: 'The name of the plan.' },
    price: { type: 'string', value: '49.00', required: true, about: 'Its price.' },
  },
  example: 'acme --name Partner --price 49.00',
  async run({ db, positionals, values }) {
    const account = await db.transaction().execute(async (trx) => {
      const { id } = await findAccount(trx, positionals[0]!);
      await changeOwnPlan(trx, id, { name: values.name, price: values.price }, operator);
      return getAccount(trx, id);
    });
    const price = decimal(account.own_plan_price_cents);
    return {
      text: `"${account.subdomain}" is now on ${account.own_plan_name} at ${price}.`,
      json: { account: { id: formatAccountId(account.id), plan_name: account.own_plan_name, plan_price: price } },
    };
  },
});

const reindex = command({
  about: "Rebuilds the search index of an account's pages.",
  details: `${ACCOUNT} doctor reports when this is necessary. Until it is done, searches find names only.`,
  positionals: ['ACCOUNT'],
  options: {},
  example: 'acme',
  async run({ db, positionals }) {
    const { id, subdomain } = await findAccount(db, positionals[0]!);
    const pages = await rebuildSearch(db, id);
    return {
      text: `The search index of "${subdomain}" has been rebuilt: ${counted(pages, 'page')}.`,
      json: { account: { id: formatAccountId(id), subdomain }, pages },
    };
  },
});

export const accountCommands: Group = {
  about: 'Accounts: the tenants of this installation.',
  commands: {
    list,
    show,
    subdomain,
    plan,
    currency: currencyCommand,
    reindex,
    export: exportCommand,
    import: importCommand,
    delete: deleteAccountCommand,
  },
};
