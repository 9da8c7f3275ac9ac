import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { addresses, makeAccount, makeCustomer, unique } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { suspendCustomer } from '../../accounts/change-customer.ts';
import { changeSettings } from '../../accounts/change-settings.ts';
import { changeSubdomain } from '../../accounts/change-subdomain.ts';
import { deleteAccount } from '../../accounts/delete-account.ts';
import { operator } from '../../audit/record-audit-event.ts';

onEachDatabase('the list of customers', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open);
    const { service, db, accountId } = started;
    const person = await signedInAs(service, db, accountId, 'owner');
    /** A customer with this name. Returns its id. */
    const make = async (name: string, subdomain = unique('site')) => {
      const id = await makeCustomer(db, accountId, subdomain);
      await db.transaction().execute((trx) => changeSettings(trx, id, { name }, operator));
      return id;
    };
    const names = async (query = '') => {
      const { customers } = (await person.get(`customers${query}`)).json;
      return customers.map(({ name }: { name: string }) => name);
    };
    const find = (text: string) => names(`?q=${encodeURIComponent(text)}`);
    return { ...started, person, make, names, find };
  }

  test('shows each customer with its address, plan and status, the latest first', async (t) => {
    const { db, accountId, person, make } = await start(t);
    assert.equal((await person.get('session')).json.hasCustomers, false);
    assert.deepEqual((await person.get('customers')).json, { customers: [], hasMore: false, active: 0 });
    const bakery = await make('Bakery', 'bakery');
    const cafe = await make('Café', 'cafe');
    await db.transaction().execute((trx) => suspendCustomer(trx, accountId, bakery, operator));
    const { customers, hasMore, active } = (await person.get('customers')).json;
    assert.deepEqual([hasMore, active], [false, 1]);
    const plan = { name: 'Free', priceCents: 0, interval: 'month' };
    const [first, second] = customers;
    const { address, createdAt, ...rest } = first;
    assert.deepEqual(rest, { id: cafe, name: 'Café', subdomain: 'cafe', status: 'active', plan });
    assert.match(address, /^http:\/\/cafe\./);
    assert.ok(createdAt <= Date.now());
    assert.deepEqual([second.id, second.status], [bakery, 'suspended']);
    assert.equal((await person.get('session')).json.hasCustomers, true);
  });

  test('comes in parts of 50', async (t) => {
    const { db, accountId, person } = await start(t);
    const ids: number[] = [];
    for (let count = 0; count < 51; count++) ids.unshift(await makeCustomer(db, accountId));
    const first = (await person.get('customers')).json;
    assert.equal(first.hasMore, true);
    const rest = (await person.get(`customers?before=${first.customers.at(-1).id}`)).json;
    assert.equal(rest.hasMore, false);
    const all = [...first.customers, ...rest.customers].map(({ id }: { id: number }) => id);
    assert.deepEqual(all, ids);
  });

  test('finds customers by the beginning of a name or subdomain, by a mail address and by a domain', async (t) => {
    const { db, make, find } = await start(t);
    const bakery = await make('Bäckerei Müller', 'muellers-brot');
    await make('Bakery Smith');
    assert.deepEqual(await find('backerei'), ['Bäckerei Müller']);
    assert.deepEqual(await find(' BÄCK'), ['Bäckerei Müller']);
    assert.deepEqual(await find('ba'), ['Bäckerei Müller', 'Bakery Smith']);
    assert.deepEqual(await find('Muellers-'), ['Bäckerei Müller']);
    assert.deepEqual(await find('%'), []);
    assert.deepEqual(await find(' '), []);
    assert.deepEqual((await find('Carl@example.com')).length, 2);
    const domain = { account_id: bakery, host: 'mueller.example', token: 't', created_at: 1, verified_at: 1 };
    await db.transaction().execute((trx) => trx.insertInto('domains').values(domain).execute());
    assert.deepEqual(await find('Mueller.example'), ['Bäckerei Müller']);
    await db.transaction().execute((trx) => changeSubdomain(trx, bakery, 'brot', addresses, operator));
    assert.deepEqual([await find('muellers-'), await find('brot')], [[], ['Bäckerei Müller']]);
  });

  test('leaves out deleted customers and those of other accounts', async (t) => {
    const { db, person, make, names, find } = await start(t);
    const gone = await make('Gone', 'gone-bakery');
    const other = await makeAccount(db);
    const foreign = await makeCustomer(db, other.accountId, 'gone-elsewhere');
    await db.transaction().execute((trx) => deleteAccount(trx, gone, { releaseSubdomain: false }, operator));
    assert.deepEqual([await names(), await find('gone'), await find('carl@example.com')], [[], [], []]);
    assert.equal((await person.get(`customers?before=${foreign + 1}`)).json.customers.length, 0);
    assert.equal((await person.get('session')).json.hasCustomers, false);
  });

  test('leads to one customer: its plans, people, mail and domains', async (t) => {
    const { db, accountId, person, make } = await start(t);
    const id = await make('Bakery', 'bakery');
    await db.transaction().execute(async (trx) => {
      await suspendCustomer(trx, accountId, id, operator);
      const failed = { status: 'failed', attempts: 3, last_error: '550 no such user' } as const;
      await trx.updateTable('outbox').set(failed).where('account_id', '=', id).execute();
      const domain = { account_id: id, host: 'bakery.example', token: 't', created_at: 1 };
      await trx.insertInto('domains').values(domain).execute();
    });
    const { json } = await person.get(`customers/${id}`);
    const plan = { name: 'Free', priceCents: 0, interval: 'month' };
    assert.deepEqual([json.name, json.status, json.plan], ['Bakery', 'suspended', plan]);
    const history = json.history.map(({ at: _, ...change }: { at: number }) => change);
    assert.deepEqual(history, [
      { kind: 'suspended', from: plan, to: null },
      { kind: 'created', from: null, to: plan },
    ]);
    const [{ id: _, ...carl }] = json.people;
    const names = { name: 'Carl Customer', email: 'carl@example.com', role: 'owner' };
    assert.deepEqual(carl, { ...names, hasPassword: true, hasSignedIn: false, openedLinkAt: null, lastSeenAt: null });
    const [mail] = json.mail;
    assert.deepEqual([mail.to, mail.status, mail.attempts], ['carl@example.com', 'failed', 3]);
    assert.equal(mail.lastError, '550 no such user');
    assert.deepEqual(json.domains, [{ host: 'bakery.example', isVerified: false }]);
  });

  test('leads to no customer of another account', async (t) => {
    const { db, person } = await start(t);
    const other = await makeAccount(db);
    const foreign = await makeCustomer(db, other.accountId);
    assert.equal((await person.get(`customers/${foreign}`)).status, 404);
    assert.equal((await person.get(`customers/${other.accountId}`)).status, 404);
  });
});
