import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { longTextResponse } from './admin/responses.ts';
import { batchResponses } from './batch-responses.ts';
import type { RequestContext } from './request-context.ts';

const MB = 1024 * 1024;
const busy = { status: 503, headers: [], body: 'busy' };

/**
 * Sends texts of 60 MB, which are all held in memory until the connection closes. Customers 11 to 19 belong to top-level
 * account 1.
 */
function setUp({ method = 'GET' } = {}) {
  const findHolder = async ({ siteAccountId = 0 }: RequestContext) => ({
    topLevelId: siteAccountId > 10 && siteAccountId < 20 ? 1 : siteAccountId,
    customerId: siteAccountId,
  });
  const send = batchResponses({
    findHolder,
    failureOf: () => busy,
    onAnswered: () => {},
    isStopping: () => false,
  });
  const answer = longTextResponse('html', 'x'.repeat(60 * MB));
  return async (siteAccountId: number) => {
    const ctx = { request: { method, headers: {} }, id: 'x', siteAccountId, extraHeaders: [] };
    let status = 0;
    const writeHead = (written: number) => {
      status = written;
    };
    const response = Object.assign(new EventEmitter(), { closed: false, writeHead, end: () => {}, destroy: () => {} });
    send({
      ctx: ctx as unknown as RequestContext,
      response: response as unknown as ServerResponse,
      at: 0,
      answer,
    });
    await setImmediate();
    return { status, close: () => response.emit('close') };
  };
}

test('a long text that is sent piece by piece counts as unsent until all of it has been sent', async () => {
  const send = setUp();
  const first = await send(2);
  assert.equal(first.status, 200);
  assert.equal((await send(2)).status, 503);
  first.close();
  assert.equal((await send(2)).status, 200);
});

test('unsent large bodies of one top-level account leave memory for others', async () => {
  const send = setUp();
  const statuses = [];
  for (const accountId of [11, 12, 13, 14, 2, 3]) statuses.push((await send(accountId)).status);
  assert.deepEqual(statuses, [200, 200, 503, 503, 200, 200]);
});

test('answers to HEAD, which have no body, do not count as unsent', async () => {
  const send = setUp({ method: 'HEAD' });
  for (let count = 0; count < 3; count++) assert.equal((await send(2)).status, 200);
});
