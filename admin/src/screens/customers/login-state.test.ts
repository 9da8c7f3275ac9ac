import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loginState, pollIntervalMs } from './login-state.ts';

const never = { openedLinkAt: null, lastSeenAt: null, hasPassword: false, hasSignedIn: false };
const ann = { id: 1, name: 'Ann', email: 'ann@example.com', role: 'owner' as const, ...never };
const queued = {
  id: 1,
  to: 'ann@example.com',
  subject: 'Welcome',
  status: 'queued' as const,
  attempts: 0,
  lastError: null,
  createdAt: 1,
  sentAt: null,
  hasText: true,
};
const tomorrow = Date.now() + 86_400_000;
const stage = (person: Partial<typeof ann>, mail: object[], linkWorksUntil: number | null = tomorrow) =>
  loginState({
    people: [{ ...ann, ...person }],
    mail: mail.map((message) => ({ ...queued, ...message })),
    linkWorksUntil,
  })?.stage;

test('the login state follows the message from queued over retrying and sent or failed to signed in', () => {
  assert.equal(stage({}, [{}]), 'queued');
  assert.equal(stage({}, [{ attempts: 1, lastError: '450 later' }]), 'retrying');
  assert.equal(stage({}, [{ status: 'sent' }]), 'sent');
  assert.equal(stage({}, [{ status: 'failed', lastError: '550 unknown' }]), 'failed');
  assert.equal(stage({ hasSignedIn: true }, [{ status: 'sent' }]), 'signedIn');
});

test('the login state is that of the latest message to the current address', () => {
  assert.equal(stage({ email: 'anna@example.com' }, [{ status: 'failed' }]), 'none');
  assert.equal(stage({}, [{}, { status: 'failed' }]), 'queued');
  assert.equal(loginState({ people: [], mail: [], linkWorksUntil: null }), undefined);
});

test('the login state is polled often while a message is queued, and not at all when nothing can change', () => {
  const pollOf = (status: 'queued' | 'sent' | 'failed') =>
    pollIntervalMs(loginState({ people: [ann], mail: [{ ...queued, status }], linkWorksUntil: tomorrow }));
  assert.deepEqual(
    [pollOf('queued'), pollOf('sent'), pollOf('failed'), pollIntervalMs(undefined)],
    [2_000, 15_000, false, false],
  );
});

test('a sent link that has expired is reported as expired, and a failed message as failed', () => {
  assert.deepEqual([stage({}, [{ status: 'sent' }], 1), stage({}, [{ status: 'sent' }], null)], ['expired', 'expired']);
  assert.equal(stage({}, [{ status: 'failed' }], 1), 'failed');
});
