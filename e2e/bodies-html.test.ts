import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodies } from './bodies.ts';
import { keepBodies, openedAndPublished } from './unchanged-bodies.ts';
import { html, type StoredBody } from './writing.ts';

/* The counterpart of bodies.test.ts for HTML, in a file of its own so that both run in parallel. */

test('no byte of a body in HTML changes when it is opened, or when a change is undone', async (t) => {
  assert.ok(bodies.length > 60);
  const own: StoredBody[] = bodies.map(([what, body]) => ({ what: `${what} as HTML`, body, format: html }));
  await keepBodies(t, openedAndPublished(own));
});
