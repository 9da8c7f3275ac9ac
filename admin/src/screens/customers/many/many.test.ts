import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CustomerChange, CustomerJson, CustomerResultJson, CustomerStateJson } from '../../../contract.ts';
import { runChanges } from '../../../data/run-changes.ts';
import { previewChanges } from './preview-changes.ts';
import { undoOf } from './undo-of.ts';

const customer = (id: number, changes: Partial<CustomerJson> = {}): CustomerJson => ({
  id,
  name: `Customer ${id}`,
  subdomain: `c${id}`,
  address: '',
  createdAt: 0,
  status: 'active',
  planId: 1,
  suspensionReason: null,
  scheduled: null,
  trialEndsOn: null,
  plan: { name: 'Free', priceCents: 0, interval: 'month' },
  ...changes,
});
const state = (changes: Partial<CustomerStateJson> = {}): CustomerStateJson => ({
  status: 'active',
  suspensionReason: null,
  deletesAt: null,
  scheduled: null,
  plan: { id: 1, name: 'Free', priceCents: 0, interval: 'month' },
  ...changes,
});
const suspended = { status: 'suspended', suspensionReason: 'Because' } as const;

test('the preview of an action tells which customers change, need no change, or will be refused', () => {
  const customers = [customer(1), customer(2, suspended), customer(3, { planId: 2 })];
  assert.deepEqual(previewChanges({ kind: 'suspend', reason: ' Because ' }, customers), {
    changes: [
      { kind: 'suspend', id: 1, reason: ' Because ' },
      { kind: 'suspend', id: 3, reason: ' Because ' },
    ],
    unchanged: 1,
    refused: [],
  });
  const { refused } = previewChanges({ kind: 'suspend', reason: 'Other' }, customers);
  assert.deepEqual(refused, [{ id: 2, why: { reason: 'customer_suspended_already', params: { because: 'Because' } } }]);
  const restore = previewChanges({ kind: 'restore' }, customers);
  assert.deepEqual(restore, {
    changes: [{ kind: 'restore', id: 2, seenReason: 'Because' }],
    unchanged: 2,
    refused: [],
  });
  const plan = previewChanges({ kind: 'plan', planId: 2 }, customers);
  assert.deepEqual([plan.changes.map(({ id }) => id), plan.unchanged], [[1, 2], 1]);
  const scheduled = { id: 11, planId: 2, plan: customers[0]!.plan, day: '2027-01-01', failure: null };
  const some = [...customers, customer(4, { scheduled })];
  const schedule = (day: string) => previewChanges({ kind: 'schedule', planId: 2, day }, some);
  assert.deepEqual(schedule('2027-01-02').changes.at(-1), {
    kind: 'schedule',
    planId: 2,
    day: '2027-01-02',
    id: 4,
    seenId: 11,
  });
  assert.deepEqual([schedule('2027-01-01').changes.length, schedule('2027-01-01').unchanged], [2, 2]);
  const unscheduled = previewChanges({ kind: 'unschedule' }, some);
  assert.deepEqual([unscheduled.changes, unscheduled.unchanged], [[{ kind: 'unschedule', id: 4, seenId: 11 }], 3]);
});

/** Sends changes to a simulated service that makes them all. Returns the outcome and the sizes of the batches. */
const run = async (
  changes: CustomerChange[],
  { failAfter = Number.POSITIVE_INFINITY, stopAfter = Number.POSITIVE_INFINITY } = {},
) => {
  const batches: number[] = [];
  const sent = () => batches.reduce((sum, size) => sum + size, 0);
  const outcome = await runChanges(changes, {
    send: async (batch) => {
      if (sent() >= failAfter) throw new Error('offline');
      batches.push(batch.length);
      return { results: batch.map(({ id }): CustomerResultJson => ({ id, before: state(), now: state(suspended) })) };
    },
    isStopped: () => sent() >= stopAfter,
    onProgress: () => {},
  });
  return { batches, outcome };
};
const changesOf = (count: number, reason = ''): CustomerChange[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'suspend', id: index + 1, reason }));

test('changes are sent in batches, which are smaller for long reasons', async () => {
  assert.deepEqual((await run(changesOf(120))).batches, [50, 50, 20]);
  assert.deepEqual((await run(changesOf(30, 'x'.repeat(500)))).batches, [18, 12]);
  assert.deepEqual((await run(changesOf(2, 'x'.repeat(20_000)))).batches, [1, 1]);
});

test('changes that are stopped or fail half-way report what was done, and can be undone', async () => {
  for (const how of ['stopAfter', 'failAfter']) {
    const { outcome } = await run(changesOf(120), { [how]: 100 });
    assert.deepEqual([outcome.done.length, outcome.left, outcome.error !== undefined], [100, 20, how === 'failAfter']);
    const undo = undoOf(outcome.done);
    assert.equal(undo.length, 100);
    assert.deepEqual(undo[0], { kind: 'restore', id: 100, seenReason: 'Because' });
  }
});

test('each change is undone by its opposite, and unchanged customers are left alone', () => {
  const plan = { id: 2, name: 'Business', priceCents: 4900, interval: 'month' } as const;
  const scheduled = { id: 11, planId: 2, plan, day: '2027-01-01', failure: null };
  const undo = undoOf([
    { id: 1, before: state(), now: state() },
    { id: 2, before: state(), now: state({ plan }) },
    { id: 3, before: state(suspended), now: state() },
    { id: 4, before: state(), now: state({ status: 'suspended', deletesAt: 9 }) },
    { id: 5, before: state({ status: 'suspended', deletesAt: 9 }), now: state() },
    { id: 6, before: state(), now: state({ scheduled }) },
    { id: 7, before: state({ scheduled }), now: state() },
    { id: 8, before: state({ scheduled }), now: state({ scheduled: { ...scheduled, id: 12 } }) },
  ]);
  assert.deepEqual(undo, [
    { kind: 'reschedule', id: 8, scheduledId: 11, seenId: 12 },
    { kind: 'reschedule', id: 7, scheduledId: 11, seenId: null },
    { kind: 'unschedule', id: 6, seenId: 11 },
    { kind: 'delete', id: 5 },
    { kind: 'undelete', id: 4 },
    { kind: 'suspend', id: 3, reason: 'Because' },
    { kind: 'plan', id: 2, planId: 1, seenPlanId: 2 },
  ]);
});
