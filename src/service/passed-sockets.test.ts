import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { passedSockets } from './passed-sockets.ts';

describe('sockets passed by systemd', () => {
  const passed = (LISTEN_FDS: string, LISTEN_FDNAMES?: string) => ({ LISTEN_PID: '7', LISTEN_FDS, LISTEN_FDNAMES });

  test('passed sockets are used only by the process in LISTEN_PID', () => {
    assert.deepEqual(passedSockets({}, 7, false), {});
    assert.deepEqual(passedSockets(passed('1'), 8, false), {});
    assert.deepEqual(passedSockets(passed('1'), 7, false), { service: 3 });
    assert.deepEqual(passedSockets(passed('1', 'freehold.socket'), 7, true), { service: 3 });
  });

  test('a passed socket named "metrics" serves METRICS_PORT', () => {
    assert.deepEqual(passedSockets(passed('2', 'metrics:freehold.socket'), 7, true), { service: 4, metrics: 3 });
    assert.deepEqual(passedSockets(passed('1', 'metrics'), 7, true), { metrics: 3 });
    assert.throws(() => passedSockets(passed('1', 'metrics'), 7, false), { code: 'invalid', message: /METRICS_PORT/ });
  });

  test('passed sockets are refused if there is more than one for a port', () => {
    assert.throws(() => passedSockets(passed('2', 'a:b'), 7, true), { code: 'invalid', message: /LISTEN_FDS/ });
    assert.throws(() => passedSockets(passed('2', 'metrics:metrics'), 7, true), { message: /LISTEN_FDNAMES/ });
  });
});
