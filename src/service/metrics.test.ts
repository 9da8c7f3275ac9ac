import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Registry } from 'prom-client';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { startWithAccount } from '../../test/service.ts';
import { operator } from '../audit/record-audit-event.ts';
import { FairSemaphore } from '../fair-semaphore.ts';
import { addWebhook } from '../webhooks/add-webhook.ts';
import { measure } from './metrics.ts';

onEachDatabase('metrics', (open) => {
  test('metrics report waiting mail, webhooks and tasks', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db);
    const registry = new Registry();
    measure(registry, db, config.dataDir);
    const values = async (name: string) => {
      const found = await registry.getSingleMetric(name)!.get();
      return found.values.map(({ value, labels }) => [...Object.values(labels), value]);
    };
    assert.deepEqual(await values('freehold_outbox_overdue_seconds'), [[0]]);
    assert.deepEqual(await values('freehold_webhooks'), [
      ['failing', 0],
      ['paused', 0],
    ]);
    assert.deepEqual(await values('freehold_database_silent'), [[0]]);
    const [[free]] = (await values('freehold_data_free_bytes')) as [[number]];
    assert.ok(free > 0);

    const message = {
      from_name: '',
      to_name: 'Ann',
      to_email: 'ann@example.com',
      subject: 'Hello',
      text: '',
      html: '',
      reply_to: null,
      claimed_by: null,
      last_error: null,
      sent_at: null,
      created_at: 1,
    };
    await db.transaction().execute(async (trx) => {
      for (const [due_at, status] of [
        [Date.now() - 100_000, 'queued'],
        [Date.now() - 10_000, 'queued'],
        [Date.now() - 900_000, 'failed'],
      ] as const) {
        const row = { ...message, account_id: accountId, message_id: `<${due_at}@example.com>`, due_at, status };
        await trx.insertInto('outbox').values(row).execute();
      }
      const settings = { webhooksToPrivateNetworks: false };
      for (const state of [
        {},
        { failing_since: 1 },
        { failing_since: 1, paused_at: 1 },
        { failing_since: 1, removed_at: 1 },
      ]) {
        const input = { url: 'https://shop.example.com/', kinds: null };
        const { id } = await addWebhook(trx, accountId, input, operator, settings);
        await trx
          .updateTable('webhooks')
          .set({ ...state, due_at: 0 })
          .where('id', '=', id)
          .execute();
      }
    });
    const [[overdue]] = (await values('freehold_outbox_overdue_seconds')) as [[number]];
    assert.ok(overdue >= 100 && overdue < 1000, `${overdue}`);
    assert.deepEqual(await values('freehold_webhooks'), [
      ['failing', 1],
      ['paused', 1],
    ]);

    const semaphore = new FairSemaphore(1, { name: 'a test' });
    const done = Promise.withResolvers<void>();
    const tasks = [0, 1, 2].map((key) => semaphore.run(() => done.promise, key));
    const waiting = async () => (await values('freehold_queue_waiting')).find(([queue]) => queue === 'a test');
    assert.deepEqual(await waiting(), ['a test', 2]);
    const used = async () => (await values('freehold_queue_used_ratio')).find(([queue]) => queue === 'a test');
    assert.deepEqual(await used(), ['a test', 1]);
    done.resolve();
    await Promise.all(tasks);
    assert.deepEqual(await waiting(), ['a test', 0]);
    assert.deepEqual(await used(), ['a test', 0]);
  });

  test('metrics report cache hits, and how many transactions share a commit', async (t) => {
    const { service, db, database, key } = await startWithAccount(t, open);
    const registry = new Registry();
    measure(registry, db, database.config.dataDir);
    const value = async (name: string, ...labels: readonly string[]) => {
      const { values } = await registry.getSingleMetric(name)!.get();
      return values.find((one) => isDeepStrictEqual(Object.values(one.labels), labels))?.value ?? 0;
    };
    const requests = (cache: string, result: string) => value('freehold_cache_requests_total', cache, result);
    for (const [cache, path] of [
      ['lists', '/api/pages.json'],
      ['accounts', '/api/account.json'],
    ] as const) {
      const [hits, misses] = [await requests(cache, 'hit'), await requests(cache, 'miss')];
      for (const _ of [1, 2, 3]) await service.request('GET', `${path}?api_key=${key}`);
      assert.deepEqual([await requests(cache, 'hit'), await requests(cache, 'miss')], [hits + 2, misses + 1], cache);
    }
    const before = await value('freehold_sqlite_transactions_total');
    const names = ['One', 'Two', 'Three'];
    await Promise.all(
      names.map((name) => service.request('POST', `/api/pages.json?api_key=${key}&page%5Bname%5D=${name}`)),
    );
    const transactions = (await value('freehold_sqlite_transactions_total')) - before;
    assert.ok(database.config.databaseUrl === '' ? transactions >= 3 : transactions === 0, `${transactions}`);
    assert.ok((await value('freehold_sqlite_commits_total')) <= (await value('freehold_sqlite_transactions_total')));
  });

  test('metrics report how long the database takes, by kind of work and by surface', async (t) => {
    const { service, db, database, key } = await startWithAccount(t, open);
    const registry = new Registry();
    measure(registry, db, database.config.dataDir);
    const kinds = ['read', 'write', 'commit', 'turn'] as const;
    const count = async () => {
      const text = await registry.metrics();
      const line = (kind: string) =>
        new RegExp(`^freehold_database_seconds_count\\{kind="${kind}",server="primary",surface="api"\\} (\\d+)$`, 'm');
      return kinds.map((kind) => Number(line(kind).exec(text)?.[1] ?? 0));
    };
    const before = await count();
    await service.createCustomer(key, {});
    const after = await count();
    for (const [index, kind] of kinds.entries()) assert.ok(after[index]! > before[index]!, kind);
  });
});
