import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedAccount } from './changed-account.ts';

type Context = Parameters<typeof changedAccount>[0];

const contextOf = (method: string, of: Partial<Context> = {}) =>
  ({ request: { method }, keyOwner: undefined, sessionOwner: undefined, ...of }) as Context;
const keyOwner = { accountId: 7 } as Context['keyOwner'];
const sessionOwner = { accountId: 8 } as Context['sessionOwner'];

test('a request that may have changed data yields the account of its key or of its user', () => {
  assert.equal(changedAccount(contextOf('POST', { keyOwner }), 200), 7);
  assert.equal(changedAccount(contextOf('DELETE', { sessionOwner }), 204), 8);
});

test('a request that has changed nothing yields no account', () => {
  assert.equal(changedAccount(contextOf('GET', { keyOwner }), 200), undefined);
  assert.equal(changedAccount(contextOf('HEAD', { sessionOwner }), 200), undefined);
  assert.equal(changedAccount(contextOf('POST', { keyOwner }), 422), undefined);
  assert.equal(changedAccount(contextOf('POST'), 200), undefined);
});
