import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { DatabaseOutage } from '../../db/database-outage.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../request-context.ts';
import { failureOf } from './failure.ts';

test('a retry of a request that is still running is told to try again in a second', () => {
  const error = new AppError('unavailable', 'A request with this Idempotency-Key is being worked on. Try again.');
  const { status, headers } = failureOf(error, pino({ level: 'silent' }), { id: 'x' } as RequestContext);
  assert.equal(status, 503);
  assert.equal(headers[headers.indexOf('Retry-After') + 1], '1');
});

test('a change that the database has not confirmed is answered with how to retry it safely', () => {
  const answerTo = (error: DatabaseOutage) => {
    const { status, headers, body } = failureOf(error, pino({ level: 'silent' }), { id: 'x' } as RequestContext);
    assert.equal(status, 503);
    assert.equal(headers[headers.indexOf('Retry-After') + 1], '5');
    return String(body);
  };
  assert.match(answerTo(new DatabaseOutage({ mayHaveChanged: true })), /may have been made or not.*Idempotency-Key/);
  assert.match(answerTo(new DatabaseOutage()), /does not answer at the moment\. Try again/);
});
