import {
  addAccount,
  addManyCustomers,
  addManyPages,
  addTypicalPages,
  type BenchAccount,
  openForFilling,
} from './data.ts';
import { fillSites, type SiteData } from './sites.ts';

/** The accounts that the measurements use. */
export interface Data extends SiteData {
  typical: BenchAccount;
  empty: BenchAccount;
  manyPages: BenchAccount;
  manyCustomers: BenchAccount;
  oneCustomer: BenchAccount;
  sixtyFour: BenchAccount[];
}

export async function fill(config: { dataDir: string; databaseUrl: string }): Promise<Data> {
  const db = await openForFilling({ ...config, databasePool: 4 });
  try {
    const typical = await addAccount(db, 'typical');
    await addTypicalPages(db, typical);
    const empty = await addAccount(db, 'empty');
    const manyPages = await addAccount(db, 'many-pages');
    await addManyPages(db, manyPages, 100_000);
    const oneCustomer = await addAccount(db, 'one-customer');
    await addManyCustomers(db, oneCustomer, 1);
    const manyCustomers = await addAccount(db, 'many-customers');
    await addManyCustomers(db, manyCustomers, 100_000);
    const sixtyFour: BenchAccount[] = [];
    for (let index = 0; index < 64; index++) sixtyFour.push(await addAccount(db, `account-${index}`));
    const sites = await fillSites(db, manyPages);
    return { typical, empty, manyPages, manyCustomers, oneCustomer, sixtyFour, ...sites };
  } finally {
    await db.destroy();
  }
}
