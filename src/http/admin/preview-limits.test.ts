import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PreviewLimits } from './preview-limits.ts';

test('previews of one user are made one at a time, and do not delay those of other users', async () => {
  const limits = new PreviewLimits();
  const begun: string[] = [];
  const first = Promise.withResolvers<void>();
  const preview = (userId: number, name: string, until?: Promise<void>) =>
    limits.queue(userId, async () => {
      begun.push(name);
      await until;
    });
  const own = [preview(1, 'a', first.promise), preview(1, 'b')];
  await preview(2, 'c');
  assert.deepEqual(begun, ['a', 'c']);
  first.resolve();
  await Promise.all(own);
  assert.deepEqual(begun, ['a', 'c', 'b']);
});

test('previews beyond the common limit are refused until others are done; a single preview never is', async () => {
  const limits = new PreviewLimits(100);
  const first = Promise.withResolvers<void>();
  const preview = (characters: number, until?: Promise<void>, topLevelId = 1) =>
    limits.withReserved(
      characters,
      async () => ({ topLevelId, customerId: topLevelId }),
      async () => until,
    );
  const large = preview(1000, first.promise);
  await assert.rejects(preview(10), { code: 'unavailable' });
  first.resolve();
  await large;
  await Promise.all([preview(60), preview(40, undefined, 2)]);
});
