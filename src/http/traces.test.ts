import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { startWithAccount } from '../../test/service.ts';
import type { Db } from '../db/database.ts';
import { newTraceId } from '../trace.ts';

const parent = '00f067aa0ba902b7';
const header = (trace: string) => ({ traceparent: `00-${trace}-${parent}-01` });
/** Matches the span of the request itself, which is not its sender's. */
const span = (trace: string, flags: string) => new RegExp(`^00-${trace}-(?!${parent})[\\da-f]{16}-${flags}$`);

const events = (db: Db, action: string) =>
  db.selectFrom('audit_log').select(['subject', 'traceparent', 'details']).where('action', '=', action).execute();
const mail = (db: Db) => db.selectFrom('outbox').select('traceparent').orderBy('id').execute();

onEachDatabase('the trace of a request', (open) => {
  test('the trace of a request is stored with the mail it queues and with its audit events', async (t) => {
    const { service, db, key } = await startWithAccount(t, open);
    const trace = newTraceId();
    assert.equal((await service.createCustomer(key, {}, header(trace))).status, 200);
    const [queued] = await mail(db);
    assert.match(queued!.traceparent!, span(trace, '01'));
    for (const action of ['customer.created', 'account.created']) {
      assert.deepEqual((await events(db, action)).at(-1)?.traceparent, queued!.traceparent);
    }
  });

  test('a request without a traceparent gets a new trace, whose id is the request’s', async (t) => {
    const { service, db, key } = await startWithAccount(t, open);
    const { headers } = await service.createCustomer(key, {});
    const [queued] = await mail(db);
    assert.match(queued!.traceparent!, span(String(headers['x-request-id']), '00'));
    await service.createCustomer(key, { account_subdomain: 'other' }, { traceparent: `00-${'a'.repeat(5000)}` });
    const [, other] = await mail(db);
    assert.equal(other!.traceparent!.length, 55);
  });

  test('requests that create pages at the same time keep their own traces', async (t) => {
    const { service, db, key } = await startWithAccount(t, open);
    const traces = Array.from({ length: 20 }, newTraceId);
    const answers = await Promise.all(
      traces.map((trace, index) => service.createPage(key, { name: `Page ${index}` }, header(trace))),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const created = await events(db, 'page.created');
    assert.equal(created.length, traces.length);
    const names = new Map((await service.pages(key)).map(({ id, name }) => [id, name]));
    for (const { subject, traceparent, details } of created) {
      const { name }: { name: string } = JSON.parse(details);
      assert.equal(name, names.get(subject));
      assert.match(traceparent!, span(traces[Number(name.slice('Page '.length))]!, '01'));
    }
  });

  test('the trace of a request continues in the thread for large requests', async (t) => {
    const { service, db, key } = await startWithAccount(t, open);
    const trace = newTraceId();
    const body = JSON.stringify({ page: { name: 'Long', body: 'x'.repeat(1024 * 1024) } });
    const headers = { ...header(trace), Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const { status, text } = await service.request('POST', '/api/pages.json', { headers, body });
    assert.equal(status, 200, text);
    const [created] = await events(db, 'page.created');
    assert.match(created!.traceparent!, span(trace, '01'));
  });

  test('the access log has the trace id beside the client’s request id, if the two differ', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const trace = newTraceId();
    await service.get('/api/account.json', key, { ...header(trace), 'X-Request-Id': 'mine' });
    await service.get('/api/account.json', key, header(trace));
    await service.get('/api/account.json', key, { 'X-Request-Id': trace });
    await service.stop();
    const lines = service.log.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ requestId, traceId }) => [requestId, traceId]),
      [
        ['mine', trace],
        [trace, undefined],
        [trace, undefined],
      ],
    );
  });
});
