import { test } from 'node:test';
import { lookAtAll } from './admin-looks.ts';
import { checkBothColours } from './house.ts';

test('axe finds nothing in the admin app on a desk, in light and dark', (t) =>
  lookAtAll(t, { viewport: { width: 1280, height: 800 }, check: checkBothColours }));
