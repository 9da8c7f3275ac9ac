import { formatAccountId } from '../accounts/account.ts';
import { type ListedCustomer, listCustomers } from '../accounts/list-customers.ts';
import { siteUrl } from '../addresses.ts';
import { type CsvCustomer, customersCsv } from '../customers/customers-csv.ts';
import type { Db } from '../db/database.ts';
import { readBatches } from '../operations/read-in-batches.ts';
import { decimal } from '../plans/money.ts';
import { command, onlyAccountOption } from './command.ts';
import { findAccount } from './find-account.ts';
import { formatPlanId } from './find-by-name.ts';
import { mapBatches } from './listing.ts';
import { time } from './output.ts';

export const listCommand = command({
  about: 'Lists the customers of an account, or of all accounts.',
  details: 'Deleted customers are listed until they are gone for good.',
  options: {
    account: onlyAccountOption,
    csv: { type: 'boolean', about: 'Print CSV, for a spreadsheet.' },
  },
  example: '--account acme --csv > customers.csv',
  async run({ config, db, values: { account, csv } }) {
    const seller = account === undefined ? undefined : (await findAccount(db, account)).id;
    const customers = customersOf(db, seller);
    const ofAll = (cell: string) => (account === undefined ? [cell] : []);
    const urlOf = ({ subdomain }: ListedCustomer) => siteUrl({ subdomain, primaryHost: null }, config);
    if (csv) {
      const withUrl = (customer: ListedCustomer): CsvCustomer => ({
        ...customer,
        address: urlOf(customer),
        status: statusOf(customer),
        createdAt: customer.created_at,
      });
      return { csv: customersCsv(customers, withUrl, { hasSellers: account === undefined }) };
    }
    return {
      listing: {
        name: 'customers',
        head: ['ID', 'SUBDOMAIN', 'NAME', 'STATUS', ...ofAll('CUSTOMER OF'), 'PLAN', 'PRICE', 'INTERVAL', 'CREATED'],
        empty: account === undefined ? 'There are no customers.' : 'The account has no customers.',
        parts: mapBatches(customers, (customer) => ({
          cells: [
            formatAccountId(customer.id),
            customer.subdomain,
            customer.name,
            statusOf(customer),
            ...ofAll(customer.seller),
            customer.planName,
            decimal(customer.planPriceCents),
            customer.planInterval,
            time(customer.created_at),
          ],
          json: {
            id: formatAccountId(customer.id),
            name: customer.name,
            subdomain: customer.subdomain,
            url: urlOf(customer),
            status: statusOf(customer),
            deletes_at: time(customer.deletes_at),
            customer_of: customer.seller,
            plan_id: formatPlanId(customer.planId),
            plan_name: customer.planName,
            plan_price: decimal(customer.planPriceCents),
            plan_interval: customer.planInterval,
            created_at: time(customer.created_at),
          },
        })),
      },
    };
  },
});

/** Yields all customers but those of other sellers: see `listCustomers`. */
async function* customersOf(db: Db, seller: number | undefined): AsyncGenerator<ListedCustomer[]> {
  const all = readBatches<ListedCustomer>((last, limit) => listCustomers(db, { after: last?.id ?? 0, limit }));
  for await (const part of all) {
    const own = part.filter(({ sellerId }) => seller === undefined || sellerId === seller);
    if (own.length > 0) yield own;
  }
}

function statusOf({ status, deletes_at }: ListedCustomer) {
  return deletes_at === null ? status : 'deleted';
}
