import fc from 'fast-check';

/**
 * Generates texts of any characters, like `fc.string({ unit: 'binary' })`, which spends more than a second on a table of all
 * characters before its first text.
 */
export function anyText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  const character = fc
    .integer({ min: 0, max: 0x10ffff })
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map(
      (point) => String.fromCodePoint(point),
      (text) => (text as string).codePointAt(0)!,
    );
  return fc.string({ ...constraints, unit: character });
}
