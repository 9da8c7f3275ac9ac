import { test } from 'node:test';
import { lookAtAll } from './admin-looks.ts';
import { checkAccessible } from './house.ts';

test('axe finds nothing in the admin app on a narrow phone in the dark', (t) =>
  lookAtAll(t, { viewport: { width: 320, height: 640 }, colorScheme: 'dark', check: checkAccessible }));
