import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import type { Candidate } from './sign-in-candidates.ts';
import { countSignInAttempt } from './sign-in-throttle.ts';
import { TooManyAttempts } from './throttle.ts';

const candidate: Omit<Candidate, 'userId' | 'isProved'> = {
  accountId: 1,
  userName: 'Ann',
  passwordHash: '',
  subdomain: 'ann',
  name: 'Ann',
  status: 'active',
  isKnown: 0,
  lastSession: null,
};

onEachDatabase('sign-ins to many addresses from one network', (open) => {
  test('sign-ins are limited even if each succeeds for an account that a stranger has made for the address', async (t) => {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    /** Signs in to the first of two accounts of an address. `isProved` tells whether both users have proved the address. */
    const signIn = async (number: number, isProved: 0 | 1, isNamed = false) => {
      const users = [1, 2].map((user) => ({ ...candidate, userId: 2 * number + user, isProved }));
      const where = { email: `user-${number}@example.com`, network: '203.0.113.1', isNamed };
      const { allowed, settle } = await countSignInAttempt(db, users, where);
      assert.equal(allowed.length, 2);
      await db.transaction().execute((trx) => settle(trx, [users[0]!]));
    };
    for (let number = 0; number < 130; number++) await signIn(number, 1);
    for (let number = 0; number < 100; number++) await signIn(number, 0);
    await assert.rejects(signIn(100, 0), TooManyAttempts);
    await signIn(101, 0, true);
  });
});
