import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { tokenFor } from '../../test/person.ts';
import { LINK_LIFETIMES_MS, makeLink } from './one-time-links.ts';
import { pruneSessions } from './prune-sessions.ts';
import { SESSION_LIFETIME_MS } from './sessions.ts';

onEachDatabase('old sessions and links', (open) => {
  test('expired links and sessions are deleted, and valid ones are kept', async (t) => {
    const now = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now });
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    await tokenFor(db, accountId, userId);
    await db.transaction().execute((trx) => makeLink(trx, accountId, userId, 'invitation'));
    const removedAfter = (time: number) => {
      t.mock.timers.setTime(now + time);
      return pruneSessions(db);
    };
    assert.equal(await removedAfter(LINK_LIFETIMES_MS.invitation), 0);
    assert.equal(await removedAfter(LINK_LIFETIMES_MS.invitation + 1), 1);
    assert.equal(await removedAfter(SESSION_LIFETIME_MS), 0);
    assert.equal(await removedAfter(SESSION_LIFETIME_MS + 1), 1);
  });
});
