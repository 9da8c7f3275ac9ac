import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer, quota } from '../../../test/factories.ts';
import { makeUser, Person, proveAddress, tokenFor } from '../../../test/person.ts';
import { startService } from '../../../test/service.ts';
import { suspendCustomer } from '../../accounts/change-customer.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import { AUDIT_LOG_RETENTION_MS } from '../../audit/prune-audit-log.ts';
import { operator } from '../../audit/record-audit-event.ts';
import type { Trx } from '../../db/database.ts';
import { changeAgencyAccess } from '../../impersonations/agency-access.ts';
import { assertImpersonationActive, findImpersonation } from '../../impersonations/find-impersonation.ts';
import { pruneImpersonations } from '../../impersonations/prune-impersonations.ts';
import { saveDraft } from '../../pages/drafts.ts';
import { endSessions } from '../../users/end-sessions.ts';
import { findSession, listSessions } from '../../users/sessions.ts';

const REASON = 'The menu is broken.';
const OVER = { reason: 'impersonation_over' };

onEachDatabase('impersonations', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const database = await open(t);
    const { db } = database;
    const service = await startService(t, database);
    const { accountId: agency } = await makeAccount(db, 'acme');
    const customer = await makeCustomer(db, agency, 'bakery');
    const ana = await makeUser(db, agency, { role: 'admin', name: 'Ana' });
    const bob = await makeUser(db, customer, { role: 'owner', name: 'Bob' });
    const token = await tokenFor(db, agency, ana.id);
    const person = new Person(service, token);
    const inTransaction = (work: (trx: Trx) => Promise<unknown>) => db.transaction().execute(work);

    /** Signs Ana in as Bob. Returns her session, and a browser tab that sends what the app sends. */
    const act = async () => {
      const browser = new Person(service, token);
      const begun = await browser.post(`customer-people/${bob.id}/sign-in`, { reason: REASON });
      assert.equal(begun.status, 204, begun.text);
      const { json } = await browser.get('session');
      const tab = new Person(service, undefined, ownerOf(json.account.id, json.user.id));
      tab.cookie = browser.cookie;
      return { tab, session: json };
    };
    /** Returns the tab's browser, without the headers that the app sends. */
    const without = (tab: Person) => {
      const bare = new Person(service);
      bare.cookie = tab.cookie;
      return bare;
    };
    const bobOnHisOwn = async () => new Person(service, await tokenFor(db, customer, bob.id));
    const nameOf = async (id: number) =>
      (await db.selectFrom('accounts').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name;
    return {
      db,
      service,
      agency,
      customer,
      ana,
      bob,
      token,
      person,
      inTransaction,
      act,
      without,
      bobOnHisOwn,
      nameOf,
    };
  }

  const ownerOf = (account: number, user: number) => ({ 'Session-Owner': `${account}/${user}` });

  test('impersonations are pruned as late as entries of the log that name them, in any number of batches', async (t) => {
    const { db, act } = await start(t);
    for (let count = 0; count < 3; count++) await act();
    const begun = await db.selectFrom('impersonations').select('started_at').orderBy('id').execute();
    const [first, , third] = begun.map(({ started_at }) => started_at);
    assert.equal(await pruneImpersonations(db, first! + AUDIT_LOG_RETENTION_MS - 1, 1), 0);
    assert.equal(await pruneImpersonations(db, third! + AUDIT_LOG_RETENTION_MS, 1), 3);
    assert.deepEqual(await db.selectFrom('impersonations').select('id').execute(), []);
  });

  test('histories in the app name agent and impersonated user, and the API only the impersonated user', async (t) => {
    const { db, service, customer, bob, inTransaction, act, bobOnHisOwn } = await start(t);
    const { key } = await db
      .transaction()
      .execute((trx) => issueApiKey(trx, customer, { userId: bob.id, name: 'Shop', expiresAt: null }));
    const { tab, session } = await act();
    assert.deepEqual(
      [session.account.id, session.user.name, session.impersonation.agency, session.impersonation.reason],
      [customer, 'Bob', 'Account acme', REASON],
    );
    const both = 'Ana (Account acme) as Bob';
    const { id } = (await tab.post('pages', { name: 'News' })).json;
    for (const body of ['One', 'Two']) {
      assert.equal((await tab.patch(`pages/${id}`, { body }, { 'If-Match': '*' })).status, 200);
    }
    const draft = { id, userId: session.user.id, fields: { body: 'Three' }, basedOn: 1, draftAt: null, quota };
    await inTransaction((trx) => saveDraft(trx, customer, draft));
    const { id: deleted } = (await tab.post('pages', { name: 'Old' })).json;
    assert.equal((await tab.delete(`pages/${deleted}`)).status, 200);

    const owner = await bobOnHisOwn();
    const page = (await owner.get(`pages/${id}`)).json;
    assert.deepEqual([page.createdBy, page.updatedBy], [both, both]);
    assert.ok(JSON.stringify(page).includes(`"by":"${both}"`), 'the draft is not attributed to both');
    assert.equal((await owner.get(`pages/${id}/revisions`)).json.revisions.at(-1).by, both);
    assert.equal((await owner.get('trash/pages')).json.deletions[0].deletedBy, both);
    const log = (await owner.get('log')).json.entries;
    assert.deepEqual(
      log.slice(0, 4).map(({ actor, action }: { actor: string; action: string }) => [actor, action]),
      [
        [both, 'page.deleted'],
        [both, 'page.created'],
        [both, 'page.changed'],
        [both, 'page.changed'],
      ],
    );
    const [listed] = await service.pages(key);
    assert.deepEqual([listed!.created_by, listed!.updated_by], ['Bob', 'Bob']);
    // Names follow a renamed user, as they do for Bob's own changes.
    await owner.patch('you', { name: 'Robert' });
    assert.equal((await service.pages(key))[0]!.updated_by, 'Robert');
    assert.equal((await owner.get(`pages/${id}`)).json.updatedBy, 'Ana (Account acme) as Robert');
  });

  test('customer and agency see in their logs and lists when an impersonation was, by whom, and why', async (t) => {
    const { db, customer, person, agency, bob, act, bobOnHisOwn } = await start(t);
    const { tab } = await act();
    assert.deepEqual((await tab.post('impersonation/end')).json, { customerId: customer });
    const events = (accountId: number, like: string) =>
      db
        .selectFrom('audit_log')
        .select(['action', 'actor', 'details'])
        .where('account_id', '=', accountId)
        .where('action', 'like', like)
        .orderBy('id')
        .execute();
    for (const [id, like, actor] of [
      [agency, 'customer.impersonation%', 'Ana'],
      [customer, 'impersonation.%', 'Ana (Account acme)'],
    ] as const) {
      const logged = await events(id, like);
      assert.deepEqual(
        logged.map(({ action }) => action.split(/[._]/).at(-1)),
        ['started', 'ended'],
      );
      for (const event of logged) {
        assert.deepEqual([event.actor, JSON.parse(event.details).reason], [actor, REASON]);
      }
      // The end by timeout is not recorded, so the first entry says when that will be.
      const row = await db.selectFrom('impersonations').select('expires_at').executeTakeFirstOrThrow();
      assert.deepEqual(
        logged.map(({ details }) => JSON.parse(details).until),
        [row.expires_at, undefined],
      );
    }
    const { visits } = (await (await bobOnHisOwn()).get('agency-access')).json;
    const [visit] = visits;
    assert.deepEqual(
      [visits.length, visit.agent, visit.person, visit.reason],
      [1, 'Ana (Account acme)', 'Bob', REASON],
    );
    assert.ok(visit.endsAt < visit.startedAt + 60_000);
    const seen = (await person.get(`customers/${customer}`)).json;
    assert.deepEqual(seen.visits, visits);
    // Bob himself is not shown as having been here.
    const { lastSeenAt, hasSignedIn } = seen.people.find(({ id }: { id: number }) => id === bob.id);
    assert.deepEqual([lastSeenAt, hasSignedIn], [(await listSessions(db, customer, bob.id))[0]!.last_seen_at, true]);
    assert.equal(seen.people.length, 2);
  });

  test('the logs of customer and agency record the end of a replaced or forbidden impersonation', async (t) => {
    const { db, agency, customer, act, bobOnHisOwn } = await start(t);
    await act();
    await act();
    await (await bobOnHisOwn()).patch('agency-access', { isAllowed: false });
    const endedBy = async (accountId: number, action: string) => {
      const events = db.selectFrom('audit_log').select('actor').where('account_id', '=', accountId);
      return (await events.where('action', '=', action).orderBy('id').execute()).map(({ actor }) => actor);
    };
    assert.deepEqual(await endedBy(agency, 'customer.impersonation_ended'), ['Ana', 'Customer bakery']);
    assert.deepEqual(await endedBy(customer, 'impersonation.ended'), ['Ana (Account acme)', 'Bob']);
  });

  test('after an impersonation has ended for any reason, its tab changes neither account', async (t) => {
    const { db, agency, customer, ana, bob, nameOf, inTransaction, act } = await start(t);
    const update = (table: 'users' | 'accounts', id: number, values: object) => (trx: Trx) =>
      trx.updateTable(table).set(values).where('id', '=', id).execute();
    const causes: Record<string, [end: (trx: Trx) => Promise<unknown>, back?: (trx: Trx) => Promise<unknown>]> = {
      'the time is over': [
        (trx) =>
          trx
            .updateTable('impersonations')
            .set({ expires_at: 1 } as object)
            .execute(),
      ],
      'the owner forbids it': [
        (trx) => changeAgencyAccess(trx, customer, { isAllowed: false }, operator),
        (trx) => changeAgencyAccess(trx, customer, { isAllowed: true }, operator),
      ],
      'the person is removed': [
        update('users', bob.id, { removed_at: 1 }),
        update('users', bob.id, { removed_at: null }),
      ],
      'the customer is deleted': [
        update('accounts', customer, { deletes_at: Date.now() + 1e9 }),
        update('accounts', customer, { deletes_at: null }),
      ],
      'Ana may not manage customers any more': [
        update('users', ana.id, { role: 'accountant' }),
        update('users', ana.id, { role: 'admin' }),
      ],
    };
    const names = [await nameOf(agency), await nameOf(customer)];
    for (const [cause, [end, back]] of Object.entries(causes)) {
      const { tab } = await act();
      const session = (await findSession(db, /session=([\w-]+)/.exec(tab.cookie)![1]!))!;
      const caller = (await findImpersonation(db, /session-as=([\w-]+)/.exec(tab.cookie)![1]!, session))!;
      assert.equal((await tab.patch('settings', { timeZone: 'Europe/Paris' })).status, 200, cause);
      await inTransaction(end);
      for (const headers of [{}, ownerOf(agency, ana.id)]) {
        const { status } = await tab.patch('settings', { name: 'Taken' }, headers);
        assert.equal(status, 401, cause);
      }
      const { status, json } = await tab.get('session');
      assert.deepEqual([status, json.error.why], [401, OVER], cause);
      // A request that was admitted before is refused in its transaction.
      await assert.rejects(
        inTransaction((trx) => assertImpersonationActive(trx, caller)),
        { why: OVER },
        cause,
      );
      if (back) await inTransaction(back);
      await tab.post('impersonation/end');
    }
    assert.deepEqual([await nameOf(agency), await nameOf(customer)], names);
  });

  test('an impersonation ends with the session of the agent, who can sign in again with the same browser', async (t) => {
    const { db, service, agency, ana, inTransaction, act } = await start(t);
    const { tab } = await act();
    await inTransaction((trx) => endSessions(trx, agency, ana.id));
    assert.equal((await tab.get('session')).status, 401);
    const again = new Person(service, await tokenFor(db, agency, ana.id));
    again.cookie += tab.cookie.replace(/session=[\w-]+/, '');
    assert.equal((await again.get('session')).json.account.id, agency);
  });

  test('a tab that was left open cannot change anything once the impersonation was ended', async (t) => {
    const { agency, ana, nameOf, act, without } = await start(t);
    const { tab } = await act();
    await tab.post('impersonation/end');
    assert.equal((await tab.get('session', ownerOf(agency, ana.id))).json.account.id, agency);
    for (const late of [tab, without(tab)]) {
      assert.equal((await late.patch('settings', { name: 'Taken' })).status, 401);
      assert.equal((await late.post('pages', { name: 'Astray' })).status, 401);
    }
    assert.equal(await nameOf(agency), 'Account acme');
    assert.equal((await tab.patch('settings', { name: 'Acme' }, ownerOf(agency, ana.id))).status, 200);
  });

  test('during an impersonation, a change must name its account', async (t) => {
    const { agency, customer, ana, bob, nameOf, act, without } = await start(t);
    const { tab } = await act();
    for (const headers of [ownerOf(agency, ana.id), ownerOf(customer, bob.id), undefined]) {
      assert.equal((await without(tab).patch('settings', { name: 'Taken' }, headers)).status, 401);
    }
    assert.deepEqual([await nameOf(agency), await nameOf(customer)], ['Account acme', 'Customer bakery']);
  });

  test('the token of an impersonation is worthless without the session that began it', async (t) => {
    const { db, service, agency, act } = await start(t);
    const { tab } = await act();
    const acting = /session-as=[\w-]+/.exec(tab.cookie)![0];
    const thief = new Person(service);
    thief.cookie = acting;
    assert.equal((await thief.get('session')).status, 401);
    const colleague = await makeUser(db, agency, { role: 'admin', name: 'Cleo' });
    const other = new Person(service, await tokenFor(db, agency, colleague.id));
    other.cookie += `; ${acting}`;
    const { user, impersonation } = (await other.get('session')).json;
    assert.deepEqual([user.name, impersonation], ['Cleo', null]);
  });

  test('an impersonation requires a reason, and a user of an active customer that allows it', async (t) => {
    const { db, agency, customer, person, bob, inTransaction } = await start(t);
    const begin = (id: number, reason = REASON) => person.post(`customer-people/${id}/sign-in`, { reason });
    assert.deepEqual((await begin(bob.id, '  ')).json.error.fields, [{ field: 'reason', code: 'blank' }]);
    assert.equal((await begin(bob.id, 'x'.repeat(501))).status, 422);
    const accountant = await makeUser(db, customer, { role: 'accountant' });
    const stranger = await makeUser(db, (await makeAccount(db)).accountId);
    const grandchild = await makeUser(db, await makeCustomer(db, customer));
    const colleague = await makeUser(db, agency);
    for (const { id } of [accountant, stranger, grandchild, colleague]) assert.equal((await begin(id)).status, 404);

    await inTransaction((trx) => changeAgencyAccess(trx, customer, { isAllowed: false }, operator));
    assert.equal((await begin(bob.id)).json.error.why.reason, 'impersonation_forbidden');
    await inTransaction((trx) => changeAgencyAccess(trx, customer, { isAllowed: true }, operator));
    await inTransaction((trx) => suspendCustomer(trx, agency, customer, operator, ''));
    assert.equal((await begin(bob.id)).json.error.why.reason, 'customer_suspended');
    assert.deepEqual(await db.selectFrom('impersonations').select('id').execute(), []);
  });

  test('a user can begin at most 30 impersonations an hour', async (t) => {
    const { bob, person, act } = await start(t);
    for (let time = 0; time < 30; time++) await act();
    const { status, headers } = await person.post(`customer-people/${bob.id}/sign-in`, { reason: REASON });
    assert.equal(status, 429);
    assert.ok(Number(headers['retry-after']) > 0);
  });

  test('owners with a proved address get the reason by mail, unless they have turned that off', async (t) => {
    const { db, customer, bob, act, bobOnHisOwn } = await start(t);
    const told = () =>
      db.selectFrom('outbox').select(['to_email', 'text']).where('subject', 'like', 'Ana%').orderBy('id').execute();
    await act();
    assert.deepEqual(await told(), []);
    await proveAddress(db, bob.id);
    await makeUser(db, customer, { role: 'admin' });
    await act();
    const [message] = await told();
    assert.equal(message!.to_email, bob.email);
    assert.ok(message!.text.includes('The menu is broken'));
    const owner = await bobOnHisOwn();
    assert.equal((await owner.patch('agency-access', { isMailed: false })).status, 204);
    await act();
    assert.equal((await told()).length, 1);
    const { isAllowed, isMailed } = (await owner.get('agency-access')).json;
    assert.deepEqual([isAllowed, isMailed], [true, false]);
  });
});
