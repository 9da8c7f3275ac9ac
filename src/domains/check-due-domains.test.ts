import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { startDnsServer } from '../../test/dns-server.ts';
import { makeAccount, makeCustomer, unique } from '../../test/factories.ts';
import { makeUser } from '../../test/person.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { addDomain } from './add-domain.ts';
import { checkDueDomains } from './check-due-domains.ts';
import { dnsOf } from './dns.ts';
import { type DomainRow, getDomain, recordsOf, txtRecord } from './domain.ts';
import { notesOf } from './domain-note.ts';
import { verifyDomain } from './verify-domain.ts';

const HOST = 'bakery.example';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const settings = {
  sitesDomain: 'sites.example',
  sitesAddresses: ['192.0.2.1', '2001:db8::1'],
  mailFrom: 'no-reply@example.com',
};

onEachDatabase('automatic domain checks', (open) => {
  test('an apex domain is verified once it is proved and leads here', async (t) => {
    const { dns, domain, add, runChecks } = await start(t, open);
    const { name, value } = txtRecord(await add());
    dns.set(name, 'TXT', value);
    dns.set(HOST, 'A', '203.0.113.9');
    await runChecks();
    assert.deepEqual([(await domain()).verified_at, notesOf(await domain())[0]?.code], [null, 'leads_elsewhere']);
    dns.set(HOST, 'A', '192.0.2.1');
    await runChecks();
    const { verified_at, last_error, leads_here } = await domain();
    assert.deepEqual([verified_at !== null, last_error, leads_here], [true, null, 1]);
  });

  test('an IPv6 address of the installation is enough to verify a domain', async (t) => {
    const { dns, domain, add, runChecks } = await start(t, open);
    const { name, value } = txtRecord(await add());
    dns.set(name, 'TXT', value);
    dns.set(HOST, 'AAAA', '2001:db8::1');
    await runChecks();
    assert.ok((await domain()).verified_at);
  });

  test('checks become rarer and end after two weeks, and ask no DNS queries in between', async (t) => {
    const { dns, domain, add, runChecks } = await start(t, open);
    await add();
    const begun = Date.now();
    let questions = 0;
    dns.onQuestion = () => {
      questions += 1;
    };
    let checks = 0;
    while ((await domain()).next_check_at !== null) {
      const before = questions;
      assert.equal(await runChecks({ isDue: false }), 0);
      assert.equal(questions, before);
      checks += await runChecks();
      assert.ok(checks < 100);
    }
    assert.ok(Date.now() - begun > 13 * 24 * 60 * MINUTE_MS && Date.now() - begun < 16 * 24 * 60 * MINUTE_MS);
    assert.ok(questions <= checks * 3, 'at most three queries a check: TXT, TXT of former versions, and CNAME');
  });

  test('users are told once when a domain leads elsewhere, and again after it has recovered', async (t) => {
    const { db, dns, domain, accountId, verified, runChecks } = await start(t, open);
    await verified();
    const { email } = await makeUser(db, accountId, { role: 'admin' });
    await makeUser(db, accountId, { role: 'editor' });
    const mail = async () => await db.selectFrom('outbox').select(['to_email', 'text']).orderBy('id').execute();
    dns.set(HOST, 'A', '203.0.113.9');
    for (let time = 0; time < 2; time++) await runChecks();
    assert.deepEqual(await mail(), [], 'a single answer may be a mistake');
    for (let time = 0; time < 4; time++) await runChecks();
    assert.deepEqual([(await domain()).leads_here, (await domain()).verified_at !== null], [0, true]);
    const told = await mail();
    assert.equal(told.length, 2, 'the owner and the admin');
    assert.ok(told.some(({ to_email, text }) => to_email === email && text.includes('203.0.113.9')));
    const actions = await db.selectFrom('audit_log').select('actor').where('action', '=', 'domain.outage').execute();
    assert.deepEqual(
      actions.map(({ actor }) => actor),
      ['service'],
    );

    dns.set(HOST, 'A', '192.0.2.1');
    await runChecks();
    assert.deepEqual([(await domain()).leads_here, (await domain()).last_error], [1, null]);
    dns.set(HOST, 'A');
    for (let time = 0; time < 5; time++) await runChecks();
    assert.equal((await mail()).length, 4);
  });

  test('DNS servers that do not answer are not an outage', async (t) => {
    const { db, dns, domain, verified, runChecks } = await start(t, open);
    await verified();
    dns.fail(2);
    for (let time = 0; time < 6; time++) await runChecks();
    assert.equal((await domain()).leads_here, 1);
    assert.deepEqual(await db.selectFrom('outbox').select('id').execute(), []);
  });

  test('a domain that another account takes over during a check stays lost', async (t) => {
    const { db, dns, domain, verified, runChecks } = await start(t, open);
    await verified();
    const { accountId: other } = await makeAccount(db, 'other');
    const { name, value } = txtRecord(await db.transaction().execute((trx) => addDomain(trx, other, HOST, operator)));
    const commit = (work: (trx: Trx) => Promise<DomainRow>) => db.transaction().execute(work);
    const input = { ...settings, host: HOST, by: operator, mayLeadElsewhere: true, commit };
    dns.onQuestion = async () => {
      dns.onQuestion = () => {};
      dns.set(name, 'TXT', value);
      assert.ok((await verifyDomain(db, other, input, dnsOf([dns.address]))).verified_at);
    };
    await runChecks();
    const { verified_at, next_check_at } = await domain();
    assert.deepEqual([verified_at, next_check_at, notesOf(await domain())], [null, null, [{ code: 'lost' }]]);
  });

  test('checks end when the service stops, and cancelled checks are not recorded', async (t) => {
    const { db, dns, resolver, add } = await start(t, open);
    for (let number = 0; number < 30; number++) await add(`www.site-${number}.example`);
    t.mock.timers.setTime(Date.now() + MINUTE_MS);
    const stopping = new AbortController();
    dns.onQuestion = () => {
      stopping.abort();
      resolver.cancel();
    };
    assert.ok((await checkDueDomains(db, resolver, settings, stopping.signal)) <= 20);
    const checked = await db.selectFrom('domains').select('id').where('checked_at', 'is not', null).execute();
    assert.deepEqual(checked, []);
  });

  test('only one of several processes checks a domain', async (t) => {
    const { add, runChecks } = await start(t, open);
    for (const host of ['a.example', 'b.example', 'c.example']) await add(host);
    const counts = await Promise.all([runChecks(), runChecks({ isDue: false }), runChecks({ isDue: false })]);
    assert.equal(counts[0]! + counts[1]! + counts[2]!, 3);
  });

  test('an account has 60 checks an hour, and takes none from other accounts', async (t) => {
    const { db, add, runChecks } = await start(t, open);
    for (let number = 0; number < 70; number++) await add(`www.site-${number}.example`);
    const { accountId: other } = await makeAccount(db, 'other');
    await db.transaction().execute((trx) => addDomain(trx, other, 'www.other.example', operator));
    assert.equal(await runChecks(), 61);
    const { open_at } = await db
      .selectFrom('sign_in_attempts')
      .select('open_at')
      .where('key', '=', 'domain checks')
      .executeTakeFirstOrThrow();
    assert.equal(open_at - Date.now(), (61 * HOUR_MS) / 1200, 'postponed checks use no budget');
    const left = await db.selectFrom('domains').select('account_id').where('checked_at', 'is', null).execute();
    assert.deepEqual([left.length, left.some(({ account_id }) => account_id === other)], [10, false]);
  });

  test('an account with more domains than checks does not delay other accounts', async (t) => {
    const { db, accountId, runChecks } = await start(t, open);
    const addAll = (account: number, hosts: string[]) =>
      db.transaction().execute(async (trx) => {
        for (const host of hosts) await addDomain(trx, account, host, operator);
      });
    const hosts = Array.from({ length: 100 }, (_, number) => `www.site-${number}.example`);
    await addAll(accountId, hosts);
    await runChecks();
    const pass = (milliseconds: number) => {
      t.mock.timers.setTime(Date.now() + milliseconds);
      return runChecks({ isDue: false });
    };
    let checks = 0;
    for (let minute = 0; minute < 20; minute++) checks += await pass(MINUTE_MS);
    assert.ok(checks <= 21, `${checks}`);
    const { accountId: other } = await makeAccount(db, 'other');
    await addAll(other, ['www.other.example']);
    await pass(MINUTE_MS / 4);
    assert.ok((await getDomain(db, other, 'www.other.example')).checked_at);
  });

  test('a top-level account with all accounts below it has 300 checks an hour, and more if others leave some', async (t) => {
    const { db, accountId, runChecks } = await start(t, open);
    await spend(db, `domain checks top-level ${accountId}`, (299 / 300) * HOUR_MS);
    await spend(db, 'domain checks', (597 / 1200) * HOUR_MS);
    const customer = await makeCustomer(db, accountId);
    const hosts: string[] = [];
    for (let count = 0; count < 5; count++) hosts.push(...(await addDomains(db, await makeCustomer(db, customer), 2)));
    const { accountId: other } = await makeAccount(db, 'other');
    const others = await addDomains(db, other, 1, 1);
    await runChecks();
    assert.deepEqual([await waiting(db, hosts), await waiting(db, others)], [7, 0]);
    t.mock.timers.setTime(Date.now() + HOUR_MS / 2);
    await runChecks({ isDue: false });
    assert.equal(await waiting(db, hosts), 0);
  });

  test('a customer with all accounts below it has 100 checks an hour, and more if others leave some', async (t) => {
    const { db, accountId, runChecks } = await start(t, open);
    const [reseller, other] = [await makeCustomer(db, accountId), await makeCustomer(db, accountId)];
    await spend(db, `domain checks customer ${reseller}`, (99 / 100) * HOUR_MS);
    await spend(db, `domain checks top-level ${accountId}`, (298 / 300) * HOUR_MS);
    await spend(db, 'domain checks', (600 / 1200) * HOUR_MS);
    const resold = await addDomains(db, await makeCustomer(db, reseller), 4);
    const others = await addDomains(db, other, 1, 1);
    await runChecks();
    assert.deepEqual([await waiting(db, resold), await waiting(db, others)], [3, 0]);
  });

  test('DNS servers that do not answer delay no other account, however many accounts use them', async (t) => {
    const { db, dns, accountId, runChecks } = await start(t, open);
    await spend(db, `domain checks top-level ${accountId}`);
    for (let count = 0; count < 20; count++) await addDomains(db, await makeCustomer(db, accountId), 1);
    const { accountId: other } = await makeAccount(db, 'other');
    const others = await addDomains(db, other, 1, 1);
    const isChecked = Promise.withResolvers<void>();
    dns.onQuestion = (name) => (name.endsWith(others[0]!) ? undefined : isChecked.promise);
    const checks = runChecks({ resolver: dnsOf([dns.address], { timeout: 600_000, tries: 1, maxTimeout: 600_000 }) });
    while ((await waiting(db, others)) > 0) await setImmediate();
    isChecked.resolve();
    await checks;
  });

  test('checks beyond the hourly budget wait, and cost their account nothing', async (t) => {
    const { db, add, domain, runChecks } = await start(t, open);
    await add();
    await spend(db, 'domain checks');
    assert.equal(await runChecks(), 0);
    assert.ok((await domain()).next_check_at! <= Date.now());
    const budgets = await db.selectFrom('sign_in_attempts').select('key').execute();
    assert.deepEqual(
      budgets.map(({ key }) => key),
      ['domain checks'],
    );
  });
});

test('an apex domain gets address records, and any other host a CNAME record', () => {
  const typesOf = (host: string, sitesAddresses: string[]) =>
    recordsOf({ host, token: 't' }, 'acme', { ...settings, sitesAddresses }).map(
      ({ type, value }) => `${type} ${value}`,
    );
  assert.deepEqual(typesOf(HOST, settings.sitesAddresses), [
    'TXT website-verify=t',
    'A 192.0.2.1',
    'AAAA 2001:db8::1',
    'ALIAS acme.sites.example',
  ]);
  assert.deepEqual(typesOf(HOST, []), ['TXT website-verify=t', 'ALIAS acme.sites.example']);
  assert.deepEqual(typesOf(`www.${HOST}`, settings.sitesAddresses), [
    'TXT website-verify=t',
    'CNAME acme.sites.example',
  ]);
});

/** Adds domains that are due in `dueInMs`. Returns their hosts. */
async function addDomains(db: Db, account_id: number, count: number, dueInMs = 0): Promise<string[]> {
  const hosts = Array.from({ length: count }, () => `www.${unique('site')}.example`);
  const now = Date.now();
  const dates = { created_at: now, next_check_at: now + dueInMs };
  const rows = hosts.map((host) => ({ account_id, host, token: host, ...dates }));
  await db.transaction().execute((trx) => trx.insertInto('domains').values(rows).execute());
  return hosts;
}

/** Returns how many of the hosts have not been checked. */
async function waiting(db: Db, hosts: readonly string[]): Promise<number> {
  const rows = db.selectFrom('domains').select('id').where('host', 'in', hosts).where('checked_at', 'is', null);
  return (await rows.execute()).length;
}

/** Uses that much of an hourly budget; by default all of it for another hour. */
async function spend(db: Db, key: string, milliseconds = 2 * HOUR_MS): Promise<void> {
  const budget = { key, failures: 0, failed_at: Date.now(), open_at: Date.now() + milliseconds };
  await db.transaction().execute((trx) => trx.insertInto('sign_in_attempts').values(budget).execute());
}

async function start(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
  const { db } = await open(t);
  const { accountId } = await makeAccount(db, 'acme');
  const dns = await startDnsServer(t);
  const resolver = dnsOf([dns.address]);
  const domain = () => getDomain(db, accountId, HOST);
  const add = (host = HOST): Promise<DomainRow> =>
    db.transaction().execute((trx) => addDomain(trx, accountId, host, operator));
  /** Runs the checks at the time when the last domain is due. */
  const runChecks = async ({ isDue = true, resolver: asked = resolver } = {}) => {
    const due = await db
      .selectFrom('domains')
      .select((e) => e.fn.max<number | null>('next_check_at').as('at'))
      .executeTakeFirstOrThrow();
    if (isDue && due.at !== null) t.mock.timers.setTime(Math.max(Date.now(), due.at));
    return checkDueDomains(db, asked, settings, new AbortController().signal);
  };
  const verified = async () => {
    const { name, value } = txtRecord(await add());
    dns.set(name, 'TXT', value);
    dns.set(HOST, 'A', '192.0.2.1');
    await runChecks();
    assert.ok((await domain()).verified_at);
  };
  return { db, dns, resolver, accountId, domain, add, verified, runChecks };
}
