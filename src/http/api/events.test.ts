import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import { overlapping } from '../../../test/overlap.ts';
import { startWithAccount } from '../../../test/service.ts';
import { operator, recordAuditEvent } from '../../audit/record-audit-event.ts';
import type { Trx } from '../../db/database.ts';

interface EventList {
  events: Array<{ type: string; timestamp: string; data: { id: string; subject: string; actor: string } }>;
  next: string;
}

onEachDatabase('GET /api/events.json', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open);
    const { service, key } = started;
    const ask = (query: string) =>
      service.request('GET', `/api/events.json?${query}`, { headers: { Authorization: `Bearer ${key}` } });
    const list = async (query = ''): Promise<EventList> => {
      const { status, json } = await ask(query);
      assert.equal(status, 200, query);
      return json;
    };
    const record = (action: string) => (trx: Trx) =>
      recordAuditEvent(trx, started.accountId, operator, { action, subject: 'customer_7', details: { name: 'Seven' } });
    return { ...started, ask, list, record };
  }

  test('events are listed in order and in parts', async (t) => {
    const { db, service, key, accountId, list } = await start(t);
    const other = await makeAccount(db);
    await makePage(db, other.accountId, { userId: other.userId });
    const { next: cursor } = await list();
    for (const name of ['One', 'Two', 'Three']) {
      assert.equal((await service.post('/api/pages.json', key, { 'page[name]': name })).status, 200);
    }
    const first = await list(`after=${cursor}&limit=2`);
    assert.deepEqual(
      first.events.map(({ type, data: { id, subject, ...data } }) => ({ type, ...data })),
      ['One', 'Two'].map((name) => ({
        type: 'page.created',
        account_id: `account_${accountId}`,
        actor: 'Olivia Owner',
        details: { name },
      })),
    );
    assert.ok(Math.abs(Date.parse(first.events[0]!.timestamp) - Date.now()) < 600_000);
    assert.equal(first.next, first.events[1]!.data.id);
    const second = await list(`after=${first.next}`);
    assert.deepEqual(
      second.events.map(({ data }) => data.id),
      [second.next],
    );
    assert.deepEqual(await list(`after=${second.next}`), { events: [], next: second.next });
  });

  test('a part of the list ends early if its events are large, and the next part continues there', async (t) => {
    const { db, accountId, list } = await start(t);
    const { next: cursor } = await list();
    const details = { name: 'Long', text: 'x'.repeat(100_000) };
    const record = { action: 'brand.changed', subject: 'customer_7', details };
    for (let count = 0; count < 5; count++) {
      await db.transaction().execute((trx) => recordAuditEvent(trx, accountId, operator, record));
    }
    const first = await list(`after=${cursor}`);
    const second = await list(`after=${first.next}`);
    const third = await list(`after=${second.next}`);
    assert.deepEqual(
      [first, second, third].map(({ events }) => events.length),
      [2, 2, 1],
    );
  });

  test('the subject of a customer event is the id of the customer’s account', async (t) => {
    const { db, list, record } = await start(t);
    const { next } = await list();
    await db.transaction().execute(record('customer.suspended'));
    assert.equal((await list(`after=${next}`)).events[0]!.data.subject, 'account_7');
  });

  test('an event that is committed late is not skipped', async (t) => {
    const { db, list, record } = await start(t);
    const { next } = await list();
    const { events } = await overlapping(db, record('customer.suspended'), async () => {
      await db.transaction().execute(record('customer.restored'));
      return list(`after=${next}`);
    });
    assert.equal(events.length, 2);
  });

  test('invalid parameters of the event list are malformed', async (t) => {
    const { ask } = await start(t);
    for (const query of ['after=x', 'after=page_1', 'after=1&after=2', 'limit=0', 'limit=1001', 'limit=ten']) {
      assert.equal((await ask(query)).status, 400, query);
    }
  });
});
