import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { makeCustomer } from '../../test/factories.ts';
import { interleaved } from '../../test/overlap.ts';
import { makeUser, PASSWORD, Person, signedInAs } from '../../test/person.ts';
import { type Service, startWithAccount } from '../../test/service.ts';
import { issueApiKey } from '../api-keys/issue-api-key.ts';
import { revokeKeysOfUser } from '../api-keys/revoke-keys-of-user.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { makeLink } from '../users/one-time-links.ts';
import { removeUser } from '../users/remove-user.ts';
import { deleteAccount } from './delete-account.ts';

/*
 * Two transactions that lock the same rows in different orders deadlock, until PostgreSQL ends one of them. Each test pauses
 * a deletion or a removal halfway, with the rows that it has locked so far, while another operation starts.
 */

interface Setup {
  service: Service;
  db: Db;
  accountId: number;
  person: Person;
  userId: number;
  /** The ids of the user's keys in ascending order. */
  keyIds: number[];
  /** The API key with the highest id. */
  key: string;
}

type Operation = (setup: Setup) => Promise<() => Promise<{ status: number }>>;

const operations: Record<string, Operation> = {
  'the first key is rotated':
    async ({ person, keyIds }) =>
    () =>
      person.post(`keys/${keyIds[0]}/rotate`),
  'the last key is rotated':
    async ({ person, keyIds }) =>
    () =>
      person.post(`keys/${keyIds.at(-1)}/rotate`),
  'a key is revoked':
    async ({ person, keyIds }) =>
    () =>
      person.delete(`keys/${keyIds.at(-1)}`),
  'a key is restored': async ({ person, keyIds }) => {
    await person.delete(`keys/${keyIds.at(-1)}`);
    return () => person.post(`keys/${keyIds.at(-1)}/restore`);
  },
  'a page is created once':
    async ({ service, key }) =>
    () =>
      service.createPage(key, { name: 'Late' }, { 'Idempotency-Key': 'late' }),
  'the user signs out':
    async ({ person }) =>
    () =>
      person.post('sign-out'),
  'the user signs in': async ({ service, db, accountId, userId }) => {
    const { email } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow();
    const { subdomain } = await db
      .selectFrom('accounts')
      .select('subdomain')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    return () => new Person(service).post('sign-in', { email, password: PASSWORD, account: subdomain });
  },
  'a password is chosen by a link': async ({ service, db, accountId, userId }) => {
    const token = await db.transaction().execute((trx) => makeLink(trx, accountId, userId, 'reset_password'));
    const password = `${PASSWORD} anew`;
    return () => new Person(service).post('reset-password', { token, password });
  },
  'an address is confirmed by a link': async ({ service, db, accountId, userId }) => {
    const email = 'new@example.com';
    const token = await db.transaction().execute((trx) => makeLink(trx, accountId, userId, 'change_email', email));
    return () => new Person(service).post('confirm-email', { token });
  },
  'a passkey is removed': async ({ person, db, userId }) => {
    const passkey = await db
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    return () => person.delete(`passkeys/${passkey.id}`);
  },
};

onEachDatabase('lock order of transactions on one account', (open) => {
  for (const [what, prepare] of Object.entries(operations)) {
    test(`deleting an account does not deadlock while ${what}`, async (t) => {
      const setup = await setUp(await startWithAccount(t, open));
      const { db, accountId, keyIds } = setup;
      const outcomes = await interleaved(db, {
        lock: (trx) => sql`select 1 from api_keys where id = ${keyIds[1]} for update`.execute(trx),
        second: await prepare(setup),
        first: () =>
          db.transaction().execute((trx) => deleteAccount(trx, accountId, { releaseSubdomain: true }, operator)),
      });
      check(outcomes);
      const left = db
        .selectFrom('users')
        .select('id')
        .where('account_id', '=', accountId)
        .where('removed_at', 'is', null);
      assert.deepEqual(await left.execute(), []);
    });

    test(`removing a user does not deadlock while ${what}`, async (t) => {
      const setup = await setUp(await startWithAccount(t, open));
      const { db, accountId, userId } = setup;
      const { id: other } = await makeUser(db, accountId, { role: 'owner' });
      const by = { userId: other, role: 'owner' } as const;
      const outcomes = await interleaved(db, {
        // The first rows of the user that are deleted.
        lock: (trx) =>
          sql`select 1 from passkeys where user_id = ${userId} order by id limit 1 for update`.execute(trx),
        second: await prepare(setup),
        first: () =>
          db.transaction().execute(async (trx) => {
            await removeUser(trx, accountId, { userId, by });
            await revokeKeysOfUser(trx, accountId, { userId, by });
          }),
      });
      check(outcomes);
    });
  }
});

/** Asserts that the deletion succeeded, and that the other operation did not fail with a server error. */
function check([first, second]: [PromiseSettledResult<unknown>, PromiseSettledResult<{ status: number }>]): void {
  assert.equal(first.status, 'fulfilled', String((first as PromiseRejectedResult).reason));
  assert.equal(second.status, 'fulfilled');
  const { status } = (second as PromiseFulfilledResult<{ status: number }>).value;
  assert.ok(status < 500, `answered with ${status}`);
}

async function setUp({
  service,
  db,
  accountId: seller,
}: {
  service: Service;
  db: Db;
  accountId: number;
  database: TestDatabase;
}): Promise<Setup> {
  const accountId = await makeCustomer(db, seller);
  const person = await signedInAs(service, db, accountId);
  const { user_id: userId } = await db
    .selectFrom('sessions')
    .select('user_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const issued = await db.transaction().execute(async (trx) => {
    const keys = [];
    for (const name of ['One', 'Two', 'Three']) {
      keys.push(await issueApiKey(trx, accountId, { userId, name, expiresAt: null }));
    }
    for (const credential of ['a', 'b']) {
      await sql`insert into passkeys (account_id, user_id, name, credential_id, public_key, counter, transports,
        may_be_backed_up, is_backed_up, created_at) values (${accountId}, ${userId}, ${credential},
        ${`${credential}-${accountId}`}, 'p', 0, '', 0, 0, 1)`.execute(trx);
    }
    return keys;
  });
  return { service, db, accountId, person, userId, keyIds: issued.map(({ id }) => id), key: issued.at(-1)!.key };
}
