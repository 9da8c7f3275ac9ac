import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimal, parseCents, revenue } from './money.ts';

const plan = fc.record({
  price_cents: fc.integer({ min: 0, max: 999_999_999 }),
  interval: fc.constantFrom('month', 'quarter', 'year'),
  active_customers: fc.integer({ min: 0, max: 1_000_000_000 }),
});

test('revenue is exact in cents until one rounding at the end, half a cent up', () => {
  fc.assert(
    fc.property(fc.array(plan, { maxLength: 30 }), (plans) => {
      const { monthly, quarterly, annual } = revenue(plans);
      // All amounts are whole numbers in twelfths of a cent.
      let month = 0n;
      for (const { price_cents, interval, active_customers } of plans) {
        const twelfths = { month: 12n, quarter: 4n, year: 1n }[interval];
        month += BigInt(price_cents) * BigInt(active_customers) * twelfths;
      }
      assert.equal(annual, formatCents(month));
      for (const [text, parts] of [
        [monthly, 12n],
        [quarterly, 4n],
      ] as const) {
        const cents = BigInt(text.replace('.', ''));
        // cents − ½ ≤ month / parts < cents + ½
        assert.ok((2n * cents - 1n) * parts <= 2n * month && 2n * month < (2n * cents + 1n) * parts, text);
      }
    }),
    { numRuns: 500 },
  );
});

test('neither the order of the plans nor splitting a plan’s customers changes the revenue', () => {
  fc.assert(
    fc.property(fc.array(plan, { maxLength: 10 }), (plans) => {
      assert.deepEqual(revenue(plans), revenue(plans.toReversed()));
      const split = plans.flatMap((one) => [
        { ...one, active_customers: Math.floor(one.active_customers / 3) },
        { ...one, active_customers: one.active_customers - Math.floor(one.active_customers / 3) },
      ]);
      assert.deepEqual(revenue(split), revenue(plans));
    }),
  );
});

test('a decimal has two places and reads back as the cents it came from', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), (cents) => {
      const text = decimal(cents);
      assert.match(text, /^(0|[1-9]\d*)\.\d\d$/);
      assert.equal(parseCents(text), cents);
      assert.equal(decimal(BigInt(cents)), text);
    }),
  );
  assert.deepEqual([0, 5, 50, 100, 4900].map(decimal), ['0.00', '0.05', '0.50', '1.00', '49.00']);
});

test('an amount is a whole number, or has one or two decimal places; any other text is refused', () => {
  for (const [text, cents] of [
    ['49', 4900],
    ['49.5', 4950],
    ['49.05', 4905],
    [' 0049.00 ', 4900],
    ['9999999.99', 999_999_999],
    ['0', 0],
  ] as const) {
    assert.equal(parseCents(text), cents, text);
  }
  for (const text of [
    '',
    ' ',
    '-1',
    '+1',
    '1,00',
    '1.',
    '.5',
    '1.005',
    '1e3',
    '0x10',
    '10000000',
    'NaN',
    '٤',
    '1 0',
    '1\n2',
  ]) {
    assert.equal(parseCents(text), undefined, text);
  }
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (text) => {
      const cents = parseCents(text);
      assert.ok(cents === undefined || (Number.isSafeInteger(cents) && cents >= 0 && cents <= 999_999_999));
    }),
  );
});

/** Formats cents with a point before the last two digits. */
function formatCents(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}
