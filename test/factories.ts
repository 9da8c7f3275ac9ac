import { createCustomer, prepareCustomer } from '../src/accounts/create-customer.ts';
import { setUpAccount } from '../src/accounts/setup.ts';
import type { UserActor } from '../src/audit/record-audit-event.ts';
import { type Db, inTransaction, type Trx } from '../src/db/database.ts';
import { createPage } from '../src/pages/create-page.ts';
import type { CreatePageInput } from '../src/pages/create-page-input.ts';
import './cheap-passwords.ts';

/** A storage limit in bytes that no test reaches. */
export const quota = 2 ** 50;

let count = 0;

/** Returns a name that is unique in this process. */
export function unique(word: string): string {
  count += 1;
  return `${word}-${process.pid}-${count}`;
}

export const addresses = { publicUrl: 'http://localhost:8080', sitesDomain: 'localhost:8080' };
export const settings = { ...addresses, mailFrom: 'no-reply@freehold.test', customersPerAddress: 0 };

/** Creates a top-level account with its owner and a key. */
export function makeAccount(db: Db | Trx, subdomain = unique('agency')) {
  const input = {
    accountName: `Account ${subdomain}`,
    subdomain,
    userName: 'Olivia Owner',
    userEmail: 'olivia@example.com',
  };
  const make = (trx: Trx) => setUpAccount(trx, input, addresses);
  return inTransaction(db, make);
}

/** Creates a customer of the account, on behalf of its first user. Returns its id. */
export async function makeCustomer(db: Db, accountId: number, subdomain = unique('customer')): Promise<number> {
  const customer = await prepareCustomer(db, accountId, {
    accountName: `Customer ${subdomain}`,
    accountSubdomain: subdomain,
    userName: 'Carl Customer',
    userEmail: 'carl@example.com',
    userPassword: 'correct horse',
    userPasswordConfirmation: 'correct horse',
    skipDefaultPages: '1',
  });
  const users = db.selectFrom('users').select('id').where('account_id', '=', accountId).orderBy('id').limit(1);
  const by = actor((await users.executeTakeFirstOrThrow()).id);
  return db.transaction().execute((trx) => createCustomer(trx, accountId, customer, settings, by));
}

/** Returns the user as the actor of a verb. */
export function actor(userId: number): UserActor {
  return { userId, name: 'Olivia Owner', ip: '192.0.2.1' };
}

/** Creates a page of the account; the fields that a test does not give have defaults. Returns its id. */
export function makePage(
  db: Db,
  accountId: number,
  input: Partial<CreatePageInput> & Pick<CreatePageInput, 'userId'>,
): Promise<number> {
  return db.transaction().execute((trx) =>
    createPage(trx, accountId, {
      name: unique('Page'),
      body: undefined,
      parentId: undefined,
      isHidden: undefined,
      description: undefined,
      bodyFormat: undefined,
      quota,
      ip: '192.0.2.1',
      ...input,
    }),
  );
}
