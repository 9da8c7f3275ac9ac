import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { addManyCustomers } from '../../../bench/data.ts';
import { onEachDatabase } from '../../../test/databases.ts';
import { addresses, makeAccount, makeCustomer, unique } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { changeCurrency } from '../../accounts/change-currency.ts';
import { changePlan, suspendCustomer } from '../../accounts/change-customer.ts';
import { changeSettings } from '../../accounts/change-settings.ts';
import { changeSubdomain } from '../../accounts/change-subdomain.ts';
import { deleteAccount } from '../../accounts/delete-account.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { createPlan } from '../../plans/plans.ts';
import { startSession } from '../../users/sessions.ts';

onEachDatabase('the list of customers', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open);
    const { service, db, accountId } = started;
    const person = await signedInAs(service, db, accountId, 'owner');
    /** Creates a customer with this name. Returns its id. */
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

  test('customers are listed with address, plan and status, the latest first', async (t) => {
    const { db, accountId, person, make } = await start(t);
    assert.equal((await person.get('session')).json.hasCustomers, false);
    assert.deepEqual((await person.get('customers')).json, { customers: [], next: null, hasMore: false, active: 0 });
    const bakery = await make('Bakery', 'bakery');
    const cafe = await make('Café', 'cafe');
    await db.transaction().execute((trx) => suspendCustomer(trx, accountId, bakery, operator));
    const { customers, hasMore, active } = (await person.get('customers')).json;
    assert.deepEqual([hasMore, active], [false, 1]);
    const plan = { name: 'Free', priceCents: 0, interval: 'month' };
    const [first, second] = customers;
    const { address, createdAt, ...rest } = first;
    const cafeJson = { id: cafe, name: 'Café', subdomain: 'cafe', status: 'active', suspensionReason: null };
    assert.deepEqual(rest, { ...cafeJson, plan, planId: rest.planId, scheduled: null, trialEndsOn: null });
    assert.match(address, /^http:\/\/cafe\./);
    assert.ok(createdAt <= Date.now());
    assert.deepEqual([second.id, second.status], [bakery, 'suspended']);
    assert.equal((await person.get('session')).json.hasCustomers, true);
  });

  test('customers are listed 50 at a time, or as many as `limit` says', async (t) => {
    const { db, accountId, person } = await start(t);
    const ids: number[] = [];
    for (let count = 0; count < 51; count++) ids.unshift(await makeCustomer(db, accountId));
    const first = (await person.get('customers')).json;
    assert.equal(first.hasMore, true);
    assert.equal((await person.get('customers?limit=51')).json.customers.length, 51);
    const rest = (await person.get(`customers?after=${first.next}`)).json;
    assert.equal(rest.hasMore, false);
    const all = [...first.customers, ...rest.customers].map(({ id }: { id: number }) => id);
    assert.deepEqual(all, ids);
  });

  test('customers can be filtered and sorted, and search results filtered', async (t) => {
    const { db, accountId, make, names } = await start(t);
    const ids = { bakery: await make('Bakery'), cafe: await make('Café'), barber: await make('barber') };
    const planId = await db.transaction().execute(async (trx) => {
      const plan = { name: 'Business', price: '49.00', interval: 'month', isDefault: false } as const;
      const planId = await createPlan(trx, accountId, plan, operator);
      await changePlan(trx, accountId, { customerId: ids.cafe, planId }, operator);
      await suspendCustomer(trx, accountId, ids.bakery, operator);
      for (const [index, id] of Object.values(ids).entries()) {
        // The first customer: just before 2 January in Kathmandu. The others: on the following days.
        const created_at = Date.UTC(2026, 0, 1 + index, 18, 14, 59);
        await sql`update accounts set created_at = ${created_at} where id = ${id}`.execute(trx);
      }
      await trx.updateTable('accounts').set({ time_zone: 'Asia/Kathmandu' }).where('id', '=', accountId).execute();
      await trx.updateTable('outbox').set({ status: 'sent' }).execute();
      await trx.updateTable('outbox').set({ status: 'failed' }).where('account_id', '=', ids.barber).execute();
      const { id: userId } = await trx
        .selectFrom('users')
        .select('id')
        .where('account_id', '=', ids.barber)
        .executeTakeFirstOrThrow();
      const clientInfo = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: '' };
      await startSession(trx, ids.barber, { userId, clientInfo });
      return planId;
    });
    assert.deepEqual(
      await Promise.all(
        [
          '?sort=oldest',
          '?sort=name',
          `?plan=${planId}`,
          '?state=suspended',
          '?state=active&sort=name',
          '?signedIn=never',
          '?mail=failed',
          '?to=2026-01-01',
          '?from=2026-01-02',
          '?from=2026-01-02&to=2026-01-02&sort=name',
          '?state=suspended&mail=failed',
          '?q=ba',
          '?q=ba&signedIn=never',
        ].map(names),
      ),
      [
        ['Bakery', 'Café', 'barber'],
        ['Bakery', 'barber', 'Café'],
        ['Café'],
        ['Bakery'],
        ['barber', 'Café'],
        ['Café', 'Bakery'],
        ['barber'],
        ['Bakery'],
        ['barber', 'Café'],
        ['Café'],
        [],
        ['Bakery', 'barber'],
        ['Bakery'],
      ],
    );
    await db.transaction().execute(async (trx) => {
      const sent = await trx.selectFrom('outbox').selectAll().where('account_id', '=', ids.barber).executeTakeFirst();
      const { id: _, ...message } = sent!;
      await trx
        .insertInto('outbox')
        .values({ ...message, message_id: 'later', status: 'sent' })
        .execute();
    });
    assert.deepEqual(await names('?mail=failed'), []);
  });

  test('the CSV file has all customers in the order of the list', async (t) => {
    const { db, accountId, person, make } = await start(t);
    const ids = [await make('=Bakery', 'bakery'), await make('Café, "Chez Nous"', 'cafe')];
    await addManyCustomers(db, { id: accountId, key: '' } as never, 1001);
    await db.transaction().execute((trx) => suspendCustomer(trx, accountId, ids[0]!, operator));
    await db.transaction().execute((trx) => changeCurrency(trx, accountId, 'EUR', operator));
    const saved = async (query: string) => {
      const { status, headers, text } = await person.get(`customers.csv${query}`);
      assert.deepEqual([status, headers['content-type']], [200, 'text/csv; charset=utf-8']);
      assert.match(headers['content-disposition']!, /^attachment; filename="customers-\d{4}-\d\d-\d\d\.csv"$/);
      const [head, ...lines] = text.split('\r\n');
      assert.equal(head, '\ufeffCustomer,Name,Subdomain,Address,State,Plan,Price,Interval,Created,Currency');
      assert.equal(lines.pop(), '');
      return lines;
    };
    const all = await saved('?sort=oldest');
    assert.equal(all.length, 1003);
    assert.equal(new Set(all).size, 1003);
    const own = all.slice(-2);
    assert.match(
      own[0]!,
      new RegExp(`^${ids[0]},'=Bakery,bakery,http://bakery\\.[^,]+,suspended,Free,0\\.00,month,20\\S+Z,EUR$`),
    );
    assert.match(own[1]!, new RegExp(`^${ids[1]},"Café, ""Chez Nous""",cafe,http`));
    assert.deepEqual(await saved(''), all.toReversed());
    assert.deepEqual(await saved('?state=suspended'), own.slice(0, 1));
    assert.deepEqual(await saved('?q=caf'), own.slice(1));
    assert.deepEqual(await saved('?q=caf&state=suspended'), []);
    assert.equal((await person.get('customers.csv?from=tomorrow')).status, 400);
  });

  test('invalid days, states and cursors are refused', async (t) => {
    const { person } = await start(t);
    for (const query of ['from=2026-02-30', 'to=tomorrow', 'plan=free', 'after=7', 'after=7-x']) {
      assert.equal((await person.get(`customers?${query}`)).status, 400, query);
    }
    for (const query of ['state=gone', 'sort=random', 'signedIn=yes', 'mail=lost']) {
      assert.equal((await person.get(`customers?${query}`)).status, 422, query);
    }
  });

  test('customers are found by the beginning of a name or subdomain, by a mail address and by a domain', async (t) => {
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

  test('the list leaves out deleted customers and customers of other accounts', async (t) => {
    const { db, person, make, names, find } = await start(t);
    const gone = await make('Gone', 'gone-bakery');
    const other = await makeAccount(db);
    await makeCustomer(db, other.accountId, 'gone-elsewhere');
    await db.transaction().execute((trx) => deleteAccount(trx, gone, { releaseSubdomain: false }, operator));
    assert.deepEqual([await names(), await find('gone'), await find('carl@example.com')], [[], [], []]);
    assert.deepEqual([await names('?sort=name'), await names('?sort=oldest&mail=failed')], [[], []]);
    assert.equal((await person.get('session')).json.hasCustomers, false);
  });

  test('a customer is shown with its plans, users, mail and domains', async (t) => {
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
      { kind: 'suspended', from: plan, to: null, isTrial: false },
      { kind: 'created', from: null, to: plan, isTrial: false },
    ]);
    const [{ id: _, ...carl }] = json.people;
    const names = { name: 'Carl Customer', email: 'carl@example.com', role: 'owner' };
    assert.deepEqual(carl, { ...names, hasPassword: true, hasSignedIn: false, openedLinkAt: null, lastSeenAt: null });
    const [mail] = json.mail;
    assert.deepEqual([mail.to, mail.status, mail.attempts], ['carl@example.com', 'failed', 3]);
    assert.equal(mail.lastError, '550 no such user');
    assert.deepEqual(json.domains, [{ host: 'bakery.example', isVerified: false }]);
  });

  test('a customer of another account is not found', async (t) => {
    const { db, person } = await start(t);
    const other = await makeAccount(db);
    const foreign = await makeCustomer(db, other.accountId);
    assert.equal((await person.get(`customers/${foreign}`)).status, 404);
    assert.equal((await person.get(`customers/${other.accountId}`)).status, 404);
  });
});
