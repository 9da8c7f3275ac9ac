import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTime } from './parse-time.ts';

test('parseTime reads the format of page lists, and ISO 8601', () => {
  const time = Date.UTC(2028, 1, 29, 23, 30);
  for (const text of [
    '2028-02-29T23:30Z',
    ' 2028-02-29T23:30:00.000Z ',
    '2028-03-01T01:00:00+01:30',
    'Tue Feb 29 23:30:00 UTC 2028',
  ])
    assert.equal(parseTime(text), time, text);
});

test('parseTime refuses a day that its month does not have', () => {
  for (const text of [
    '2026-02-29T12:00:00Z',
    '2026-11-31T00:00:00+02:00',
    'Mon Feb 30 12:00:00 UTC 2026',
    '2026-02-30',
    '',
  ])
    assert.ok(Number.isNaN(parseTime(text)), text);
});
