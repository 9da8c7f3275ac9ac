import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { startWithAccount } from '../../../test/service.ts';

onEachDatabase("the admin app's surface", (open) => {
  test('without a session there is nothing to see', async (t) => {
    const { service } = await startWithAccount(t, open);
    const { outcome, headers } = await service.request('GET', '/admin/session', { headers: { Host: 'localhost' } });
    assert.deepEqual(outcome, [401, { error: { code: 'unauthorized', message: 'Sign in first.' } }]);
    assert.equal(headers['cache-control'], 'no-store');
  });
});
