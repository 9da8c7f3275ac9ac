import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedAccount } from './changed-account.ts';

type Context = Parameters<typeof changedAccount>[0];

const contextOf = (method: string, of: Partial<Context> = {}) =>
  ({ request: { method }, caller: undefined, person: undefined, ...of }) as Context;
const caller = { accountId: 7 } as Context['caller'];
const person = { accountId: 8 } as Context['person'];

test('a request that may have changed data yields the account of its key or of its user', () => {
  assert.equal(changedAccount(contextOf('POST', { caller }), 200), 7);
  assert.equal(changedAccount(contextOf('DELETE', { person }), 204), 8);
});

test('a request that has changed nothing yields no account', () => {
  assert.equal(changedAccount(contextOf('GET', { caller }), 200), undefined);
  assert.equal(changedAccount(contextOf('HEAD', { person }), 200), undefined);
  assert.equal(changedAccount(contextOf('POST', { caller }), 422), undefined);
  assert.equal(changedAccount(contextOf('POST'), 200), undefined);
});
