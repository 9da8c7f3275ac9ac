import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { addWebhook } from './add-webhook.ts';
import { claimWebhook } from './claim-webhook.ts';
import { SendingShares } from './sending-shares.ts';
import { allWebhooks, getNextRange, type WebhookRange } from './webhook-range.ts';

/** Adds a webhook, whose first event is its own creation. Returns its id. */
async function add(db: Db, accountId: number): Promise<number> {
  const input = { url: 'https://shop.example/events', kinds: null };
  const settings = { webhooksToPrivateNetworks: false };
  const { id } = await db.transaction().execute((trx) => addWebhook(trx, accountId, input, operator, settings));
  return id;
}

onEachDatabase('claiming webhooks', (open) => {
  test('ranges of webhooks have the given size, and cover all webhooks in turn', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const ids: number[] = [];
    for (let count = 0; count < 5; count++) ids.push(await add(db, accountId));
    const ranges: WebhookRange[] = [];
    for (let count = 0; count < 4; count++) ranges.push(await getNextRange(db, ranges.at(-1) ?? allWebhooks, 2));
    assert.deepEqual(ranges, [
      { after: 0, until: ids[1] },
      { after: ids[1], until: ids[3] },
      { after: ids[3], until: allWebhooks.until },
      ranges[0],
    ]);
    const claimed: Array<number | undefined> = [];
    for (let count = 0; count < 3; count++)
      claimed.push((await claimWebhook(db, { worker: 'one', among: ranges[1]! }))?.webhook.id);
    assert.deepEqual(claimed, [ids[2], ids[3], undefined]);
  });

  /** Claims webhooks until none is left. Returns them in the order of the claims. */
  async function claimAll(db: Db, shares: SendingShares) {
    const claimed = [];
    for (;;) {
      const next = await shares.claim(db, { worker: 'one', among: allWebhooks });
      if (!next) return claimed;
      claimed.push(next);
    }
  }

  async function start(t: TestContext) {
    const { db } = await open(t);
    const [{ accountId: agency }, { accountId: other }] = [await makeAccount(db), await makeAccount(db)];
    return { db, agency, other, shares: new SendingShares({ maxPerTopLevel: 4, maxPerCustomer: 2 }) };
  }

  test('a top-level account with any number of customers leaves delivery slots to others', async (t) => {
    const { db, agency, other, shares } = await start(t);
    for (let count = 0; count < 5; count++) await add(db, await makeCustomer(db, agency));
    await add(db, agency);
    await add(db, other);
    const claimed = await claimAll(db, shares);
    assert.deepEqual(
      claimed.map(({ upper }) => upper.topLevelId),
      [agency, agency, agency, agency, other],
    );
    shares.release(claimed[0]!);
    assert.deepEqual(
      (await claimAll(db, shares)).map(({ upper }) => upper.topLevelId),
      [agency],
    );
  });

  test('a customer with any number of accounts below it leaves delivery slots to others', async (t) => {
    const { db, agency, shares } = await start(t);
    const [reseller, customer] = [await makeCustomer(db, agency), await makeCustomer(db, agency)];
    let lowest = reseller;
    for (let count = 0; count < 5; count++) {
      lowest = await makeCustomer(db, lowest);
      await add(db, lowest);
    }
    await add(db, customer);
    const claimed = await claimAll(db, shares);
    assert.deepEqual(
      claimed.map(({ upper }) => upper.customerId),
      [reseller, reseller, customer],
    );
    shares.release(claimed[1]!);
    assert.deepEqual(
      (await claimAll(db, shares)).map(({ upper }) => upper.customerId),
      [reseller],
    );
  });
});
