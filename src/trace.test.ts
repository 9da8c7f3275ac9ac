import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newTraceId, stepOfHeader, Trace, traceOfHeader } from './trace.ts';

const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

test('a request is a new step in the trace of its traceparent, and is sampled like its sender', () => {
  const trace = traceOfHeader(`00-${id}-${parentId}-01`)!;
  assert.deepEqual([trace.id, trace.parentId, trace.isSampled], [id, parentId, true]);
  assert.match(String(trace), new RegExp(`^00-${id}-(?!${parentId})[\\da-f]{16}-01$`));
  assert.equal(String(trace), String(trace));
  assert.match(String(traceOfHeader(`00-${id}-${parentId}-02`)), /-00$/);
  // A later version of the format may have more parts.
  assert.equal(traceOfHeader(`01-${id}-${parentId}-01-more`)!.id, id);
});

test('an invalid traceparent yields no trace', () => {
  for (const wrong of [
    undefined,
    '',
    `00-${id}-${parentId}`,
    `00-${id}-${parentId}-01 `,
    `00-${id.toUpperCase()}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${id}-${'0'.repeat(16)}-01`,
    `ff-${id}-${parentId}-01`,
    `00-${id}-${parentId}-01, 00-${id}-${parentId}-01`,
    `00-${id}${'0'.repeat(5000)}-${parentId}-01`,
  ]) {
    assert.equal(traceOfHeader(wrong), undefined, String(wrong));
  }
});

test('a stored step is the parent of the steps that it causes', () => {
  const request = new Trace(newTraceId(), { isSampled: true });
  const step = stepOfHeader(String(request))!;
  assert.equal(String(step), String(request));
  const caused = step.child();
  assert.deepEqual([caused.id, caused.parentId, caused.isSampled], [request.id, request.spanId, true]);
  assert.notEqual(caused.spanId, request.spanId);
});
