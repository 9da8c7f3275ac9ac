import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodies } from './bodies.ts';
import { keepBodies, openedAndPublished } from './unchanged-bodies.ts';
import { html, type StoredBody } from './writing.ts';

/* As bodies.test.ts, and apart from it, so that both are tested at a time. */

test('no byte of a body in HTML changes by opening it, or by taking back what was written', async (t) => {
  assert.ok(bodies.length > 60);
  const own: StoredBody[] = bodies.map(([what, body]) => ({ what: `${what} as HTML`, body, format: html }));
  await keepBodies(t, openedAndPublished(own));
});
