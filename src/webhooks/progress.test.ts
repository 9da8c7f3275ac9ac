import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { operator, recordAuditEvents } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { addWebhook } from './add-webhook.ts';
import { changeWebhook, changeWebhookSecret, removeWebhook } from './change-webhook.ts';
import { deliverEvents } from './deliver-events.ts';
import type { Send } from './send.ts';
import { messageSender, type SendMessages } from './send-messages.ts';
import { SendingShares } from './sending-shares.ts';
import { allWebhooks } from './webhook-range.ts';

/** More events than two batches. */
const MANY = 1100;
const NEW_URL = 'http://127.0.0.2/';
const settings = { webhooksToPrivateNetworks: true };

onEachDatabase('webhook delivery runs', (open) => {
  /** Makes an account with a webhook and the given number of waiting events. */
  async function start(t: TestContext, events: number) {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const inTransaction = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
    const given = { url: 'http://127.0.0.1/', kinds: ['page'] };
    const { id } = await inTransaction((trx) => addWebhook(trx, accountId, given, operator, settings));
    const named = Array.from({ length: events }, (_, index) => ({
      accountId,
      actor: operator,
      event: { action: 'page.created', subject: `page_${index + 1}`, details: { name: 'Something' } },
    }));
    await inTransaction((trx) => recordAuditEvents(trx, named));
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const stop = new AbortController();
    const sent: Array<{ page: number; url: string; signatures: number }> = [];
    /** How many messages were handed over at a time. */
    const handed: number[] = [];
    /**
     * Runs one delivery run. `answer` gets the number of messages so far, and returns the status of the receiver's
     * response; null for none.
     */
    const run = (answer: (count: number) => number | null | Promise<number>) => {
      const send: Send = async (url, headers, body) => {
        const page = Number(JSON.parse(body).data.subject.replace('page_', ''));
        sent.push({ page, url, signatures: headers['Webhook-Signature']!.split(' ').length });
        const status = await answer(sent.length);
        return { at: Date.now(), duration: 0, status, error: null, response: '' };
      };
      const log = pino({ enabled: false });
      const { signal } = stop;
      const mail = { mailFrom: 'no-reply@example.com', onMailQueued: () => {} };
      const sendAll = messageSender(send, signal);
      const sendMessages: SendMessages = (toSend) => {
        handed.push(toSend.messages.length);
        return sendAll(toSend);
      };
      const shares = new SendingShares({ maxPerTopLevel: 1, maxPerCustomer: 1 });
      const claiming = { worker: 'one', among: allWebhooks, shares };
      return deliverEvents(db, { ...claiming, send: sendMessages, signal, log, random: () => 0, ...mail });
    };
    const pages = () => sent.map(({ page }) => page);
    const webhook = () =>
      db
        .selectFrom('webhooks')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    /** Returns the pages of the recorded deliveries, in order. */
    const recorded = async () => {
      const deliveries = await db
        .selectFrom('webhook_deliveries as its')
        .innerJoin('audit_log', 'audit_log.id', 'its.event_id')
        .select('audit_log.subject')
        .where('its.account_id', '=', accountId)
        .orderBy('its.id')
        .execute();
      return deliveries.map(({ subject }) => Number(subject.replace('page_', '')));
    };
    /** By default, lets enough time pass that deliveries are recorded after the next response. */
    const passTime = (ms = 250) => t.mock.timers.tick(ms);
    return { accountId, id, inTransaction, stop, sent, handed, run, pages, webhook, recorded, passTime };
  }

  const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

  test('a run reads further batches of events', async (t) => {
    const { run, pages, recorded } = await start(t, MANY);
    assert.equal(await run(() => 204), true);
    assert.deepEqual(pages(), upTo(MANY));
    assert.deepEqual(await recorded(), upTo(MANY));
    assert.equal(await run(() => 204), false);
  });

  test('a run reads further events for a second, and leaves later ones to the next run', async (t) => {
    const { run, pages, recorded, passTime } = await start(t, MANY);
    await run(() => {
      passTime(3);
      return 204;
    });
    // Two batches, the first of which begins with the webhook's creation.
    assert.deepEqual(pages(), upTo(999));
    assert.deepEqual(await recorded(), upTo(999));
    while (await run(() => 204));
    assert.deepEqual(pages(), upTo(MANY));
  });

  test('a slow receiver gets slightly more messages at a time than it took, and a quick one many more', async (t) => {
    const { run, handed, passTime } = await start(t, 100);
    // Time for ten messages, then for any number.
    await run((count) => {
      if (count <= 20) passTime(25);
      return 204;
    });
    assert.deepEqual(handed, [100, 13, 13, 52, 15]);
  });

  test('a run ends with a refused event, even if more events have been read', async (t) => {
    const { run, pages, recorded, webhook, passTime } = await start(t, MANY);
    await run((count) => (count === 300 ? 500 : 204));
    assert.deepEqual(pages(), upTo(300));
    const { failures, claimed_by } = await webhook();
    assert.deepEqual([failures, claimed_by], [1, null]);
    passTime(60_000);
    await run(() => 204);
    assert.deepEqual(pages(), [...upTo(300), ...upTo(MANY, 300)]);
    assert.deepEqual(await recorded(), pages());
  });

  for (const [what, change] of [
    ['removed', removeWebhook],
    ['moved', (trx, accountId, id, by) => changeWebhook(trx, accountId, { id, url: NEW_URL }, by, settings)],
    [
      'given other events',
      (trx, accountId, id, by) => changeWebhook(trx, accountId, { id, kinds: ['user'] }, by, settings),
    ],
  ] satisfies Array<[string, typeof removeWebhook]>) {
    test(`a run ends when recording finds that the webhook was ${what}`, async (t) => {
      const { run, pages, webhook, passTime, inTransaction, accountId, id } = await start(t, MANY);
      const before = await webhook();
      await run(async (count) => {
        if (count === 2) await inTransaction((trx) => change(trx, accountId, id, operator));
        if (count === 3) passTime();
        return 204;
      });
      assert.deepEqual(pages(), upTo(3));
      const { claimed_by, last_event_id } = await webhook();
      assert.deepEqual([claimed_by, last_event_id], [null, before.last_event_id]);
    });
  }

  test('events that were not recorded before a webhook moved are sent to its new address', async (t) => {
    const { run, sent, pages, passTime, inTransaction, accountId, id } = await start(t, 5);
    await run(async (count) => {
      if (count === 2)
        await inTransaction((trx) => changeWebhook(trx, accountId, { id, url: NEW_URL }, operator, settings));
      if (count === 2) passTime();
      return 204;
    });
    sent.length = 0;
    await run(() => 204);
    assert.deepEqual(pages(), upTo(5));
    assert.ok(sent.every(({ url }) => url === NEW_URL));
  });

  test('a run signs with a changed secret after the next recording', async (t) => {
    const { run, sent, pages, passTime, inTransaction, accountId, id } = await start(t, 5);
    await run(async (count) => {
      if (count === 2) await inTransaction((trx) => changeWebhookSecret(trx, accountId, id, operator));
      if (count === 2) passTime();
      return 204;
    });
    assert.deepEqual(pages(), upTo(5));
    assert.deepEqual(
      sent.map(({ signatures }) => signatures),
      [1, 1, 2, 2, 2],
    );
  });

  test('a run that is stopped records what was sent', async (t) => {
    const { run, stop, pages, recorded, webhook, passTime } = await start(t, MANY);
    await run((count) => {
      passTime();
      if (count === 4) stop.abort();
      // The fourth message is cut off.
      return count === 4 ? null : 204;
    });
    assert.deepEqual(pages(), upTo(4));
    assert.deepEqual(await recorded(), upTo(3));
    assert.equal((await webhook()).claimed_by, null);
  });

  test('a run ends when recording fails, and unrecorded events are sent again', async (t) => {
    const { inTransaction, run, pages, recorded, passTime } = await start(t, MANY);
    const rename = (from: string, to: string) =>
      inTransaction((trx) => trx.schema.alterTable(from).renameTo(to).execute());
    const broken = run(async (count) => {
      if (count === 2) {
        await rename('webhook_deliveries', 'away');
        passTime();
      }
      return 204;
    });
    await assert.rejects(broken);
    assert.deepEqual(pages(), upTo(2));
    await rename('away', 'webhook_deliveries');
    // Until the lease ends, the run counts as active.
    assert.equal(await run(() => 204), false);
    passTime(60_000);
    const before = pages();
    await run(() => 204);
    assert.deepEqual(pages(), [...before, ...upTo(MANY)]);
    assert.deepEqual(await recorded(), upTo(MANY));
  });
});
