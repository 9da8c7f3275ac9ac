import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountShares } from './account-shares.ts';

test('a customer may hold a quarter of a capacity, its top-level account half, and all accounts the whole', () => {
  const shares = new AccountShares(100);
  const customer = (topLevelId: number, customerId: number) => ({ topLevelId, customerId });
  shares.take(customer(1, 11), 20);
  assert.equal(shares.hasRoom(customer(1, 11), 6), false);
  shares.take(customer(1, 11), 5);
  assert.equal(shares.hasRoom(customer(1, 11), 1), false);
  shares.take(customer(1, 12), 25);
  assert.equal(shares.hasRoom(customer(1, 13), 1), false);
  assert.equal(shares.hasRoom(customer(2, 21), 25), true);
  shares.take(customer(2, 21), 25);
  shares.take(customer(2, 22), 25);
  assert.equal(shares.hasRoom(customer(3, 31), 1), false);
  shares.giveBack(customer(1, 12), 25);
  assert.equal(shares.hasRoom(customer(1, 13), 25), true);
  assert.equal(shares.hasRoom(customer(3, 31), 25), true);
});

test('a single amount may exceed the capacity or a share if nothing else is held of it', () => {
  const shares = new AccountShares(100);
  const large = { topLevelId: 1, customerId: 11 };
  assert.equal(shares.hasRoom(large, 200), true);
  shares.take({ topLevelId: 2, customerId: 21 }, 1);
  assert.equal(shares.hasRoom(large, 60), true);
  assert.equal(shares.hasRoom(large, 100), false);
});
