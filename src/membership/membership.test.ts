import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { makeUser } from '../../test/person.ts';
import { listApiKeys } from '../api-keys/list-api-keys.ts';
import { listAuditEvents } from '../audit/list-audit-events.ts';
import { operator } from '../audit/record-audit-event.ts';
import { getImport } from '../customer-imports/imports.ts';
import { startImport } from '../customer-imports/start-import.ts';
import { resumeImport, stopImport } from '../customer-imports/stop-import.ts';
import type { Trx } from '../db/database.ts';
import type { ActingUser } from '../users/roles.ts';
import { changeMember } from './change-member.ts';
import { issueKey } from './issue-key.ts';
import { removeMember } from './remove-member.ts';
import { restoreKey } from './restore-key.ts';
import { restoreMember } from './restore-member.ts';
import { revokeKey } from './revoke-key.ts';
import { revokeKeyAndIssued } from './revoke-key-and-issued.ts';
import { rotateKey } from './rotate-key.ts';

onEachDatabase('membership', (open) => {
  test('an admin who becomes an editor loses their keys, which can be restored with the role', async (t) => {
    const { within, accountId, ann, owner, revoked, events } = await start(t, open);
    const { id } = await within((trx) => issueKey(trx, accountId, keyOf(ann), owner));
    const become = (role: string, withKeys: boolean) =>
      within((trx) => changeMember(trx, accountId, ann, { name: undefined, role, withKeys }, owner));
    await become('editor', false);
    assert.deepEqual(await revoked(), [id]);
    await become('admin', true);
    assert.deepEqual(await revoked(), []);
    assert.deepEqual(await events(), [
      ['user.changed', 'Olivia', { name: 'Ann', from: 'editor', to: 'admin', keysRestored: 1 }],
      ['user.changed', 'Olivia', { name: 'Ann', from: 'admin', to: 'editor', keysRevoked: 1 }],
      ['key.issued', 'Olivia', { name: 'Shop' }],
    ]);
  });

  test('a removed user loses their keys, which are restored when the removal is undone', async (t) => {
    const { within, accountId, ann, owner, revoked, events } = await start(t, open);
    const { id } = await within((trx) => issueKey(trx, accountId, keyOf(ann), operator));
    await within((trx) => removeMember(trx, accountId, ann, owner));
    assert.deepEqual(await revoked(), [id]);
    await within((trx) => restoreMember(trx, accountId, ann, owner));
    assert.deepEqual(await revoked(), []);
    assert.deepEqual(
      (await events()).map(([action, actor]) => [action, actor]),
      [
        ['user.restored', 'Olivia'],
        ['user.removed', 'Olivia'],
        ['key.issued', 'operator'],
      ],
    );
  });

  test('keys that were issued with a leaked one stay revoked when their user comes back', async (t) => {
    const { within, accountId, ann, owner, revoked } = await start(t, open);
    const leaked = await within((trx) => issueKey(trx, accountId, keyOf(ann), operator));
    const byLeaked = { ...owner, userId: ann, keyId: leaked.id };
    const issued = await within((trx) => issueKey(trx, accountId, keyOf(ann), byLeaked));
    await within((trx) => removeMember(trx, accountId, ann, owner));
    assert.deepEqual(await within((trx) => revokeKeyAndIssued(trx, accountId, leaked.id, owner)), []);
    await within((trx) => restoreMember(trx, accountId, ann, owner));
    assert.deepEqual(await revoked(), [issued.id, leaked.id]);
  });

  test('an import stops when its user is removed or loses the permission, and others can resume it', async (t) => {
    const { within, accountId, ann, owner } = await start(t, open);
    const by = { ...owner, userId: ann, name: 'Ann' };
    const lines = [{ number: 2, cells: ['Bakery'] }];
    const input = { fileName: 'customers.csv', fileHash: 'hash', lines, columns: { account_name: 0 } };
    const id = await within((trx) => startImport(trx, accountId, input, by));
    const state = () => within(async (trx) => (await getImport(trx, accountId, id)).state);
    const become = (role: string) =>
      within((trx) => changeMember(trx, accountId, ann, { role, withKeys: false }, owner));
    await become('owner');
    assert.equal(await state(), 'running');
    for (const losePermission of [
      () => become('accountant'),
      () => within((trx) => removeMember(trx, accountId, ann, owner)),
    ]) {
      await become('admin');
      await within((trx) => resumeImport(trx, accountId, id, by));
      await losePermission();
      assert.equal(await state(), 'stopped');
    }
    await within((trx) => resumeImport(trx, accountId, id, owner));
    assert.equal(await state(), 'running');
  });

  test('a resumed import stops when the user who resumed it is removed', async (t) => {
    const { within, accountId, ann, owner } = await start(t, open);
    const by = { ...owner, userId: ann, name: 'Ann' };
    const lines = [{ number: 2, cells: ['Bakery'] }];
    const input = { fileName: 'customers.csv', fileHash: 'hash', lines, columns: { account_name: 0 } };
    const id = await within((trx) => startImport(trx, accountId, input, owner));
    await within((trx) => stopImport(trx, accountId, id, owner));
    await within((trx) => resumeImport(trx, accountId, id, by));
    await within((trx) => removeMember(trx, accountId, ann, owner));
    assert.equal(await within(async (trx) => (await getImport(trx, accountId, id)).state), 'stopped');
  });

  test('an import continues when another user is removed', async (t) => {
    const { within, accountId, ann, owner } = await start(t, open);
    const input = { fileName: 'customers.csv', fileHash: 'hash', lines: [], columns: {} };
    const id = await within((trx) => startImport(trx, accountId, input, owner));
    await within((trx) => removeMember(trx, accountId, ann, owner));
    assert.equal(await within(async (trx) => (await getImport(trx, accountId, id)).state), 'running');
  });

  test('a rotated key belongs to the user who rotates it, or to the former user if the operator does', async (t) => {
    const { db, within, accountId, ann, owner, events } = await start(t, open);
    const { id } = await within((trx) => issueKey(trx, accountId, keyOf(ann), operator));
    const rotate = (by: typeof operator) =>
      within((trx) => rotateKey(trx, accountId, id, { overlapMs: 7_200_000, lifetimeMs: undefined }, by));
    const userOf = async (keyId: number) =>
      (await db.selectFrom('api_keys').select('user_id').where('id', '=', keyId).executeTakeFirstOrThrow()).user_id;
    const byOperator = await rotate(operator);
    assert.equal(await userOf(byOperator.id), ann);
    const byOwner = await rotate(owner);
    assert.equal(await userOf(byOwner.id), owner.userId);
    const [last] = await events();
    assert.deepEqual(last, [
      'key.rotated',
      'Olivia',
      { name: 'Shop', successor: `key_${byOwner.id}`, overlapHours: 2 },
    ]);
  });

  test('a key with an expiry time in the past is refused, and nothing is recorded', async (t) => {
    const { within, accountId, ann, events } = await start(t, open);
    const past = { ...keyOf(ann), expiresAt: Date.now() };
    await assert.rejects(
      within((trx) => issueKey(trx, accountId, past, operator)),
      { fields: [{ field: 'expiresAt', code: 'in_the_past' }] },
    );
    assert.deepEqual(await events(), []);
  });

  test('a rotated key works for another day by default, and for 90 days at most', async (t) => {
    const { within, accountId, ann, owner } = await start(t, open);
    const { id } = await within((trx) => issueKey(trx, accountId, keyOf(ann), owner));
    const DAY_MS = 24 * 60 * 60 * 1000;
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const rotate = async (overlapMs: number | undefined) =>
      (await within((trx) => rotateKey(trx, accountId, id, { overlapMs, lifetimeMs: undefined }, owner))).oldExpiresAt -
      Date.now();
    assert.equal(await rotate(90 * DAY_MS), 90 * DAY_MS);
    const outOfRange = [{ field: 'overlap', code: 'days_out_of_range', params: { min: 0, max: 90 } }];
    for (const wrong of [90 * DAY_MS + 1, -1]) await assert.rejects(rotate(wrong), { fields: outOfRange });
    assert.equal(await rotate(undefined), DAY_MS);
  });

  test('revoking a key twice is recorded once', async (t) => {
    const { within, accountId, ann, owner, events } = await start(t, open);
    const { id } = await within((trx) => issueKey(trx, accountId, keyOf(ann), owner));
    for (let count = 0; count < 2; count++) await within((trx) => revokeKey(trx, accountId, id, owner));
    await within((trx) => restoreKey(trx, accountId, id, owner));
    assert.deepEqual(
      (await events()).map(([action]) => action),
      ['key.restored', 'key.revoked', 'key.issued'],
    );
  });
});

const keyOf = (userId: number) => ({ userId, name: ' Shop ', expiresAt: null });

async function start(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const { db } = await open(t);
  const { accountId, userId } = await makeAccount(db);
  const { id: ann } = await makeUser(db, accountId, { role: 'admin', name: 'Ann' });
  const owner: ActingUser = { userId, name: 'Olivia', role: 'owner', ip: '192.0.2.1' };
  return {
    db,
    accountId,
    ann,
    owner,
    within: <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work),
    revoked: async () =>
      (await listApiKeys(db, { accountId })).filter((key) => key.revoked_at !== null).map(({ id }) => id),
    /** Returns the events, the latest first, without the creation of the account. */
    events: async () => {
      const listed = await listAuditEvents(db, accountId, { by: undefined, before: undefined, limit: 10 });
      return listed.slice(0, -1).map(({ action, actor, details }) => [action, actor, JSON.parse(details)] as const);
    },
  };
}
