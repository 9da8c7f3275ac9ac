import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer, unique } from '../../test/factories.ts';
import { listCustomers } from '../customers/list-customers.ts';
import type { Db } from '../db/database.ts';
import { listAttention } from './list-attention.ts';

const DAY_MS = 86_400_000;
const now = Date.now();
const createdBefore = now - 7 * DAY_MS;

onEachDatabase('customers and settings that need attention', (open) => {
  test('each count of customers that need attention equals a recount, and the list of customers behind it', async (t) => {
    const { db } = await open(t);
    const sellers = [await makeAccount(db), await makeAccount(db)];
    const facts = new Map<number, Facts>();
    for (let index = 0; index < 60; index++) {
      const { accountId } = sellers[index % 2]!;
      const id = await makeCustomer(db, accountId);
      facts.set(id, factsOf(index, accountId));
      await apply(db, id, facts.get(id)!);
    }
    for (const { accountId } of sellers) {
      const found = await listAttention(db, accountId, { createdBefore, withOwn: true });
      const customers = [...facts].filter(([, { seller }]) => seller === accountId);
      const idsWhere = (matches: (facts: Facts) => boolean) =>
        customers.filter(([, facts]) => !facts.isSuspended && !facts.isDeleted && matches(facts)).map(([id]) => id);
      const expected = {
        mail_failed: idsWhere(({ hasSignedIn, mail }) => !hasSignedIn && mail.at(-1) === 'failed'),
        never_signed_in: idsWhere(({ hasSignedIn, isOld }) => !hasSignedIn && isOld),
        domains_failing: idsWhere(({ domain }) => domain === 'unverified' || domain === 'elsewhere'),
      };
      assert.deepEqual(
        found.map(({ kind, count }) => [kind, count]),
        Object.entries(expected).map(([kind, ids]) => [kind, ids.length]),
      );
      const filters = {
        mail_failed: { status: 'active', neverSignedIn: true, mailFailed: true },
        never_signed_in: { status: 'active', neverSignedIn: true, createdBefore },
        domains_failing: { status: 'active', domainFails: true },
      } as const;
      for (const [kind, ids] of Object.entries(expected)) {
        const filter = filters[kind as keyof typeof filters];
        const { customers: listed } = await listCustomers(db, accountId, { filter, sort: 'newest', limit: 100 });
        assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set(ids));
        const { first } = found.find((attention) => attention.kind === kind)!;
        assert.deepEqual([first.length, first.every(({ id }) => ids.includes(id))], [Math.min(3, ids.length), true]);
        assert.equal(first[0]!.name, listed.find(({ id }) => id === first[0]!.id)!.name);
      }
    }
  });

  test('an account without customers or problems has nothing that needs attention', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    assert.deepEqual(await listAttention(db, accountId, { createdBefore, withOwn: true }), []);
  });

  test("the account's own expiring keys and failing domains need attention, for people who may change them", async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const other = await makeAccount(db);
    const add = (expires_at: number | null, more = {}) => {
      const name = unique('Key');
      const key = {
        account_id: accountId,
        user_id: userId,
        name,
        hash: name,
        last4: '1234',
        created_at: 0,
        expires_at,
      };
      return db
        .transaction()
        .execute((trx) =>
          trx
            .insertInto('api_keys')
            .values({ ...key, ...more } as typeof key)
            .execute(),
        )
        .then(() => name);
    };
    const soon = await add(now + 13 * DAY_MS);
    const next = await add(now + DAY_MS);
    await add(now + 15 * DAY_MS);
    await add(now - 1);
    await add(null);
    await add(now + DAY_MS, { revoked_at: 1 });
    const rotated = await add(now + DAY_MS);
    await add(null, { name: rotated });
    await add(now + DAY_MS, { account_id: other.accountId, user_id: other.userId });
    await addDomain(db, accountId, 'elsewhere');
    await addDomain(db, accountId, 'working');
    const found = await listAttention(db, accountId, { createdBefore, withOwn: true });
    assert.deepEqual(
      found.map(({ kind, count }) => [kind, count]),
      [
        ['own_domains_failing', 1],
        ['keys_expiring', 2],
      ],
    );
    assert.deepEqual(
      found[1]!.first.map(({ name }) => name),
      [next, soon],
    );
    assert.deepEqual(await listAttention(db, accountId, { createdBefore, withOwn: false }), []);
  });
});

type DomainState = 'none' | 'unverified' | 'working' | 'elsewhere';

interface Facts {
  seller: number;
  isSuspended: boolean;
  isDeleted: boolean;
  hasSignedIn: boolean;
  isOld: boolean;
  mail: readonly ('failed' | 'sent')[];
  domain: DomainState;
}

/** Makes facts that are largely independent of each other. */
function factsOf(index: number, seller: number): Facts {
  let rest = Math.imul(index + 1, 2_654_435_761) >>> 4;
  const pick = (count: number) => {
    const picked = rest % count;
    rest = Math.trunc(rest / count);
    return picked;
  };
  return {
    seller,
    hasSignedIn: pick(3) === 0,
    isOld: pick(2) === 0,
    mail: ([[], ['failed'], ['failed', 'sent'], ['sent', 'failed', 'failed']] as const)[pick(4)]!,
    domain: (['none', 'unverified', 'working', 'elsewhere'] as const)[pick(4)]!,
    isSuspended: pick(6) === 0,
    isDeleted: pick(6) === 0,
  };
}

async function apply(db: Db, id: number, facts: Facts): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { isSuspended, isDeleted, hasSignedIn, isOld } = facts;
    await trx
      .updateTable('accounts')
      .set({
        status: isSuspended ? 'suspended' : 'active',
        deletes_at: isDeleted ? now + DAY_MS : null,
        status_before_deletion: isDeleted ? 'active' : null,
        signed_in_at: hasSignedIn ? now : null,
        created_at: isOld ? createdBefore - 1 : createdBefore,
      } as never)
      .where('id', '=', id)
      .execute();
    await trx.deleteFrom('outbox').where('account_id', '=', id).execute();
    for (const status of facts.mail) {
      const text = { from_name: '', to_name: '', to_email: 'a@example.com', subject: '', text: '', html: '' };
      const times = { due_at: now, created_at: now, message_id: unique('message') };
      await trx
        .insertInto('outbox')
        .values({ account_id: id, status, ...text, ...times })
        .execute();
    }
  });
  if (facts.domain !== 'none') await addDomain(db, id, facts.domain);
}

function addDomain(db: Db, accountId: number, state: DomainState): Promise<unknown> {
  const host = `${unique('www')}.example`;
  const domain = {
    account_id: accountId,
    host,
    token: 't',
    created_at: now,
    verified_at: state === 'unverified' ? null : now,
    leads_here: state === 'unverified' ? null : state === 'working' ? (1 as const) : (0 as const),
  };
  return db.transaction().execute((trx) => trx.insertInto('domains').values(domain).execute());
}
