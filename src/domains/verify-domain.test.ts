import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabaseAtOnce, type TestDatabase } from '../../test/databases.ts';
import { type DnsServer, startDnsServer } from '../../test/dns-server.ts';
import { addresses, makeAccount, makePage } from '../../test/factories.ts';
import { getAccount } from '../accounts/account.ts';
import { changeSubdomain } from '../accounts/change-subdomain.ts';
import { listAuditEvents } from '../audit/list-audit-events.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { siteFinder } from '../sites/find-site.ts';
import { addDomain } from './add-domain.ts';
import { dnsOf } from './dns.ts';
import { type DomainRow, getDomain, txtRecord } from './domain.ts';
import { notesOf } from './domain-note.ts';
import { listDomains } from './list-domains.ts';
import { removeDomain } from './remove-domain.ts';
import { type VerifyDomainInput, verifyDomain } from './verify-domain.ts';

const HOST = 'www.bakery.example';
const TXT = `_website.${HOST}`;
const SITES = 'sites.agency.example';

onEachDatabaseAtOnce('verifying a domain', 4, (open) => {
  test('a TXT record with the token verifies a domain', async (t) => {
    const { db, acme, dns, verify } = await start(t, open);
    const { token } = await add(db, acme);
    dns.set(TXT, 'TXT', 'v=spf1 -all', `website-verify=${token}`);
    const domain = await verify(acme);
    assert.equal(domain.last_error, null);
    assert.ok(domain.verified_at !== null && domain.verified_at === domain.checked_at);
    assert.equal((await siteFinder(db, SITES)(HOST))?.accountId, acme);
  });

  test('the TXT record of versions before 1.0 verifies a domain, and holds it against other accounts', async (t) => {
    const { db, acme, dns, verify } = await start(t, open);
    const { token } = await add(db, acme);
    dns.set(`_freehold.${HOST}`, 'TXT', `website-verify=${token}`);
    assert.equal((await verify(acme)).verified_at, null);
    dns.set(`_freehold.${HOST}`, 'TXT', `freehold-verify=${token}`);
    assert.notEqual((await verify(acme)).verified_at, null);
  });

  test('a CNAME record to the account’s own subdomain verifies a domain', async (t) => {
    const { db, acme, dns, verify } = await start(t, open);
    await add(db, acme);
    dns.set(HOST, 'CNAME', `Acme.${SITES}`);
    assert.notEqual((await verify(acme)).verified_at, null);
  });

  test('the notes of a failed verification name the records that were found', async (t) => {
    const { db, acme, dns, verify } = await start(t, open);
    const { token } = await add(db, acme);
    const expected = `website-verify=${token}`;
    const noTxt = { code: 'no_record', type: 'TXT', name: TXT };
    const noCname = { code: 'no_record', type: 'CNAME', name: HOST };
    const found = async () => {
      const domain = await verify(acme);
      assert.equal(domain.verified_at, null);
      assert.notEqual(domain.checked_at, null);
      return notesOf(domain);
    };
    assert.deepEqual(await found(), [noTxt, noCname], 'the names do not exist');
    dns.set(TXT, 'TXT');
    dns.set(HOST, 'CNAME');
    assert.deepEqual(await found(), [noTxt, noCname], 'the names have no such records');
    dns.set(TXT, 'TXT', 'hello');
    const other = { code: 'other_record', type: 'TXT', name: TXT, found: 'hello', expected };
    assert.deepEqual(await found(), [other, noCname], 'another text');
    dns.set(TXT, 'TXT', 'hello', 'website-verify=0123');
    const otherToken = { code: 'other_token', name: TXT, found: 'website-verify=0123', expected };
    assert.deepEqual(await found(), [otherToken, noCname]);
    dns.set(TXT, 'TXT');
    dns.set(HOST, 'CNAME', `other.${SITES}`);
    const otherName = { type: 'CNAME', name: HOST, found: `other.${SITES}`, expected: `acme.${SITES}` };
    assert.deepEqual(await found(), [noTxt, { code: 'other_record', ...otherName }]);
    for (const [rcode, error] of [
      [2, 'ESERVFAIL'],
      [5, 'EREFUSED'],
    ] as const) {
      dns.fail(rcode);
      const failed = { code: 'dns_failed', error };
      assert.deepEqual(await found(), [
        { ...failed, type: 'TXT', name: TXT },
        { ...failed, type: 'CNAME', name: HOST },
      ]);
    }
    assert.equal(await siteFinder(db, SITES)(HOST), undefined);
  });

  test('a missing CNAME record is not reported for an apex domain, which cannot have one', async (t) => {
    const { db, acme, verify } = await start(t, open);
    await add(db, acme, 'bakery.example');
    const noTxt = { code: 'no_record', type: 'TXT', name: '_website.bakery.example' };
    assert.deepEqual(notesOf(await verify(acme, 'bakery.example')), [noTxt]);
  });

  test('an unreachable or silent DNS server is reported', async (t) => {
    const { db, acme, dns } = await start(t, open);
    await add(db, acme);
    const commit = commitTo(db);
    const ask = (address: string) =>
      verifyDomain(db, acme, { ...input, commit }, dnsOf([address], { timeout: 50, tries: 1, maxTimeout: 50 }));
    dns.fail('silently');
    const errors = async (address: string) =>
      notesOf(await ask(address)).map((note) => note.code === 'dns_failed' && note.error);
    assert.deepEqual(await errors(dns.address), ['ETIMEOUT', 'ETIMEOUT']);
    assert.match(String(await errors('127.0.0.1:1')), /^(ECONNREFUSED|ETIMEOUT),(ECONNREFUSED|ETIMEOUT)$/);
  });

  test('an account can use neither the domain nor the token of another account', async (t) => {
    const { db, acme, other, dns, verify } = await start(t, open);
    const { token } = await add(db, acme);
    const { token: others } = await add(db, other);
    assert.notEqual(token, others);
    dns.set(TXT, 'TXT', `website-verify=${token}`);
    assert.equal((await verify(other)).verified_at, null);
    assert.notEqual((await verify(acme)).verified_at, null);
    const third = await makeAccount(db);
    const none = { code: 'not_found', message: `The account has no domain "${HOST}".` };
    await assert.rejects(verify(third.accountId), none);
    await assert.rejects(remove(db, third.accountId), none);
    assert.deepEqual(await listDomains(db, third.accountId), []);
    await remove(db, other);
    assert.equal((await siteFinder(db, SITES)(HOST))?.accountId, acme);
  });

  test('exactly one of two accounts that prove a host at the same time gets it', async (t) => {
    const { db, acme, other, dns, verify } = await start(t, open);
    const domains = [await add(db, acme), await add(db, other)];
    dns.set(TXT, 'TXT', ...domains.map(({ token }) => `website-verify=${token}`));
    const results = await Promise.all([verify(acme), verify(other)]);
    const [winner, ...more] = results.filter(({ verified_at }) => verified_at !== null);
    assert.ok(winner && more.length === 0);
    const loser = results.find((domain) => domain !== winner)!;
    assert.deepEqual(notesOf(loser), [{ code: 'held_with_proof' }]);
    assert.equal((await siteFinder(db, SITES)(HOST))?.accountId, winner.account_id);
  });

  test('a domain moves to an account that proves it by TXT, but only once the holder’s proof is gone', async (t) => {
    const { db, acme, other, dns, verify } = await start(t, open);
    dns.set(HOST, 'CNAME', `acme.${SITES}`);
    await add(db, acme);
    await verify(acme);
    const { token } = await add(db, other);
    dns.set(TXT, 'TXT', `website-verify=${token}`);
    assert.equal((await verify(other)).verified_at, null, 'both accounts prove the domain');

    dns.set(TXT, 'TXT');
    dns.set(HOST, 'CNAME', `other.${SITES}`);
    const byCname = await verify(other);
    assert.equal(byCname.verified_at, null, 'a CNAME may be a forgotten one');
    assert.deepEqual(notesOf(byCname), [{ code: 'held_until_txt' }]);

    dns.set(TXT, 'TXT', `website-verify=${token}`);
    const versions = await versionsOf(db, acme, other);
    assert.notEqual((await verify(other)).verified_at, null);
    const lost = await getDomain(db, acme, HOST);
    assert.equal(lost.verified_at, null);
    assert.deepEqual(notesOf(lost), [{ code: 'lost' }]);
    const [event] = await listAuditEvents(db, acme, { by: undefined, before: undefined, limit: 1 });
    const { action, actor, user_id, ip, details } = event!;
    assert.deepEqual(
      [action, actor, user_id, ip, JSON.parse(details)],
      ['domain.lost', 'another account', null, null, { host: HOST }],
    );
    const after = await versionsOf(db, acme, other);
    assert.ok(after.every((version, index) => version > versions[index]!));
  });

  test('a domain does not move while the DNS cannot tell whether the holder’s proof is gone', async (t) => {
    const { db, acme, other, dns, verify } = await start(t, open);
    const first = await add(db, acme);
    dns.set(TXT, 'TXT', `website-verify=${first.token}`);
    await verify(acme);
    const { token } = await add(db, other);
    dns.set(TXT, 'TXT', `website-verify=${token}`);
    let questions = 0;
    dns.onQuestion = () => {
      questions += 1;
      // The first two queries are about the new account's proof. Then the server fails.
      if (questions === 3) dns.fail(2);
    };
    const domain = await verify(other);
    assert.ok(questions > 2);
    assert.equal(domain.verified_at, null);
    assert.deepEqual(notesOf(domain), [{ code: 'held_with_proof' }]);
    assert.equal((await siteFinder(db, SITES)(HOST))?.accountId, acme);
  });

  test('a domain stays verified when its proof is gone, and its notes say so', async (t) => {
    const { db, acme, dns, verify } = await start(t, open);
    const { token } = await add(db, acme);
    dns.set(TXT, 'TXT', `website-verify=${token}`);
    const { verified_at } = await verify(acme);
    dns.set(TXT, 'TXT');
    const [version] = await versionsOf(db, acme);
    const gone = await verify(acme);
    assert.equal(gone.verified_at, verified_at);
    assert.deepEqual([notesOf(gone)[0]?.code, notesOf(gone)[1]?.code], ['no_record', 'no_record']);
    dns.fail(2);
    assert.equal((await verify(acme)).verified_at, verified_at);
    assert.equal((await siteFinder(db, SITES)(HOST))?.accountId, acme);
    dns.fail(0);
    dns.set(TXT, 'TXT', `website-verify=${token}`);
    assert.deepEqual(pick(await verify(acme)), { verified_at, last_error: null });
    assert.deepEqual(await versionsOf(db, acme), [version], 'a check does not change the site');
  });

  test("a CNAME record to the account's former subdomain does not verify a domain", async (t) => {
    const { db, acme, dns, verify } = await start(t, open);
    await add(db, acme);
    dns.set(HOST, 'CNAME', `acme.${SITES}`);
    await db.transaction().execute((trx) => changeSubdomain(trx, acme, 'acme-web', addresses, operator));
    assert.equal((await verify(acme)).verified_at, null);
  });

  test('adding, verifying and removing a domain raise the content version, and a removed one stops at once', async (t) => {
    const { db, acme, dns, verify } = await start(t, open);
    const find = siteFinder(db, SITES);
    const [before] = await versionsOf(db, acme);
    const { token } = await add(db, acme);
    const [added] = await versionsOf(db, acme);
    assert.ok(added! > before!);
    dns.set(TXT, 'TXT', `website-verify=${token}`);
    await verify(acme);
    const { contentVersion: verified } = (await find(HOST))!;
    assert.ok(verified > added!);
    assert.equal((await find(`acme.${SITES}`))?.primaryHost, HOST);
    await assert.rejects(add(db, acme), { fields: [{ field: 'host', code: 'already_added' }] });
    assert.deepEqual(await versionsOf(db, acme), [verified]);
    await remove(db, acme);
    assert.equal(await find(HOST), undefined);
    const site = await find(`acme.${SITES}`);
    assert.equal(site!.primaryHost, null);
    assert.ok(site!.contentVersion > verified);
    assert.notEqual((await add(db, acme)).token, token);
    assert.equal((await verify(acme)).verified_at, null, 'the old token proves nothing');
  });

  test('the first verified domain is the primary one', async (t) => {
    const { db, acme, dns, verify } = await start(t, open);
    const hosts = ['a.bakery.example', 'b.bakery.example', 'c.bakery.example'];
    for (const host of hosts) {
      const { name, value } = txtRecord(await add(db, acme, host));
      dns.set(name, 'TXT', value);
    }
    const primary = async () =>
      (await listDomains(db, acme)).filter(({ isPrimary }) => isPrimary).map(({ host }) => host);
    assert.deepEqual(await primary(), []);
    await verify(acme, 'c.bakery.example');
    assert.deepEqual(await primary(), ['c.bakery.example']);
    await verify(acme, 'b.bakery.example');
    assert.deepEqual(await primary(), ['b.bakery.example']);
    assert.equal((await siteFinder(db, SITES)('c.bakery.example'))?.primaryHost, 'b.bakery.example');
  });

  test('writes do not wait for DNS queries', async (t) => {
    const { db, acme, userId, dns, verify } = await start(t, open);
    await add(db, acme);
    dns.fail('silently');
    const asked = new Promise<void>((resolve) => {
      dns.onQuestion = () => resolve();
    });
    const verifying = verify(acme);
    await asked;
    assert.ok(await makePage(db, acme, { userId }), 'SQLite has a single writer, which must not wait');
    dns.fail(0);
    assert.equal(notesOf(await verifying)[0]?.code, 'no_record');
  });
});

const input = { host: HOST, sitesDomain: `${SITES}:8443`, sitesAddresses: [], by: operator, mayLeadElsewhere: false };

async function start(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const { db } = await open(t);
  const { accountId: acme, userId } = await makeAccount(db, 'acme');
  const { accountId: other } = await makeAccount(db, 'other');
  const dns: DnsServer = await startDnsServer(t);
  const resolver = dnsOf([dns.address]);
  const commit = commitTo(db);
  const verify = (accountId: number, host = HOST) => verifyDomain(db, accountId, { ...input, host, commit }, resolver);
  return { db, acme, other, userId, dns, verify };
}

function commitTo(db: Db): VerifyDomainInput['commit'] {
  return (work) => db.transaction().execute(work);
}

function add(db: Db, accountId: number, host = HOST): Promise<DomainRow> {
  return db.transaction().execute((trx) => addDomain(trx, accountId, host, operator));
}

function remove(db: Db, accountId: number): Promise<DomainRow> {
  return db.transaction().execute((trx) => removeDomain(trx, accountId, HOST, operator));
}

async function versionsOf(db: Db, ...accountIds: number[]): Promise<number[]> {
  const accounts = await Promise.all(accountIds.map((id) => getAccount(db, id)));
  return accounts.map(({ content_version }) => content_version);
}

function pick({ verified_at, last_error }: DomainRow) {
  return { verified_at, last_error };
}
