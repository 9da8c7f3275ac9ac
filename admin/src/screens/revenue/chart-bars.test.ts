import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barParts, gains, heightOf, losses } from './chart-bars.ts';

test('the parts of a bar in the revenue chart adjoin, so that its length is the sum of the movements', () => {
  const amounts = { new: 100, expansion: 20, contraction: 30, churn: 7, reactivation: 5 };
  const movements = Object.fromEntries(
    Object.entries(amounts).map(([kind, annualCents]) => [kind, { annualCents }]),
  ) as Parameters<typeof barParts>[0];
  const parts = barParts(movements).toSorted((one, other) => one.y - other.y);
  assert.equal(parts[0]!.y, -heightOf(movements, gains));
  for (const [index, part] of parts.slice(1).entries()) {
    assert.equal(part.y, parts[index]!.y + parts[index]!.height);
  }
  const last = parts.at(-1)!;
  assert.equal(last.y + last.height, heightOf(movements, losses));
  const change = heightOf(movements, gains) - heightOf(movements, losses);
  assert.equal(change, 100 + 20 + 5 - 30 - 7);
});
