import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import type { SamplerName } from '../config-values.ts';
import { requestId, requestTrace, samplerOf } from './request-id.ts';

const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

/** Returns whether a request with these headers is recorded. */
function isRecorded(tracesSampler: SamplerName, headers: Record<string, string>, tracesSamplerArg = 1): boolean {
  const sampler = samplerOf({ otlpEndpoint: 'http://a', tracesSampler, tracesSamplerArg });
  return requestTrace({ headers } as unknown as IncomingMessage, sampler).isSampled;
}

const untraced = { 'x-request-id': id };
const wanted = { traceparent: `00-${id}-${parentId}-01` };
const unwanted = { traceparent: `00-${id}-${parentId}-00` };

test('a plain sampler decides alone, and a parent-based one only if the client has not decided', () => {
  const decisions = (name: SamplerName, part?: number) =>
    [untraced, wanted, unwanted].map((headers) => isRecorded(name, headers, part));
  assert.deepEqual(decisions('always_on'), [true, true, true]);
  assert.deepEqual(decisions('always_off'), [false, false, false]);
  assert.deepEqual(decisions('parentbased_always_on'), [true, true, false]);
  assert.deepEqual(decisions('parentbased_always_off'), [false, true, false]);
  assert.deepEqual(decisions('traceidratio', 0), [false, false, false]);
  assert.deepEqual(decisions('traceidratio', 1), [true, true, true]);
  assert.deepEqual(decisions('parentbased_traceidratio', 0), [false, true, false]);
});

test('a ratio sampler decides by the trace id, so that all services record the same traces', () => {
  const of = (digits: string) => ({ 'x-request-id': `4bf92f3577b34da6a3${digits}` });
  assert.ok(isRecorded('traceidratio', of('3ffffffffffff0'), 0.25));
  assert.ok(!isRecorded('traceidratio', of('40000000000000'), 0.25));
});

test('without a collector the client decides whether a trace is recorded, and its span stays the parent', () => {
  assert.equal(samplerOf({ otlpEndpoint: '', tracesSampler: 'always_on', tracesSamplerArg: 1 }), undefined);
  const request = { headers: wanted } as unknown as IncomingMessage;
  const trace = requestTrace(request);
  assert.deepEqual([trace.isSampled, trace.parentId, requestId(request, trace)], [true, parentId, id]);
  const other = requestTrace(request, () => false);
  assert.deepEqual([other.isSampled, other.parentId, other.id], [false, parentId, id]);
});
