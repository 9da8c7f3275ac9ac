import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { passedSockets } from './passed-sockets.ts';

describe('sockets that the service is started with', () => {
  const passed = (LISTEN_FDS: string, LISTEN_FDNAMES?: string) => ({ LISTEN_PID: '7', LISTEN_FDS, LISTEN_FDNAMES });

  test('are for the process of LISTEN_PID', () => {
    assert.deepEqual(passedSockets({}, 7, false), {});
    assert.deepEqual(passedSockets(passed('1'), 8, false), {});
    assert.deepEqual(passedSockets(passed('1'), 7, false), { service: 3 });
    assert.deepEqual(passedSockets(passed('1', 'freehold.socket'), 7, true), { service: 3 });
  });

  test('are for METRICS_PORT if that is their name', () => {
    assert.deepEqual(passedSockets(passed('2', 'metrics:freehold.socket'), 7, true), { service: 4, metrics: 3 });
    assert.deepEqual(passedSockets(passed('1', 'metrics'), 7, true), { metrics: 3 });
    assert.throws(() => passedSockets(passed('1', 'metrics'), 7, false), { code: 'invalid', message: /METRICS_PORT/ });
  });

  test('are refused if there is more than one for a port', () => {
    assert.throws(() => passedSockets(passed('2', 'a:b'), 7, true), { code: 'invalid', message: /LISTEN_FDS/ });
    assert.throws(() => passedSockets(passed('2', 'metrics:metrics'), 7, true), { message: /LISTEN_FDNAMES/ });
  });
});
