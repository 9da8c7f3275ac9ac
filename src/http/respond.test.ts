import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { longTextResponse } from './admin/responses.ts';
import type { RequestContext } from './request-context.ts';
import { respond } from './respond.ts';
import { UnsentBodies } from './unsent-bodies.ts';

test('a long text that is sent piece by piece counts until it has been sent', () => {
  const unsent = new UnsentBodies();
  const ctx = { request: { method: 'GET' }, id: 'x', ip: '192.0.2.1', extraHeaders: [] } as unknown as RequestContext;
  const send = () => {
    const written = { writeHead: () => {}, closed: false, destroy: () => {} };
    const response = Object.assign(new EventEmitter(), written) as unknown as ServerResponse;
    respond(response, ctx, longTextResponse('html', 'x'.repeat(40 * 1024 * 1024)), unsent);
    return response;
  };
  const first = send();
  send();
  assert.throws(send, { code: 'unavailable' });
  first.emit('close');
  send();
});
