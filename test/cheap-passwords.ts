import { argon2Parameters } from '../src/users/hash-threads.ts';

/*
 * Lowers the cost of password hashes in this process: with the real cost, one hash takes as long as the rest of most tests.
 * `src/users/password.alone.test.ts` tests the real cost.
 */

Object.assign(argon2Parameters, { memoryCost: 8, timeCost: 1 });
