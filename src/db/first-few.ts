/** Returns as many of the first rows as have at most `maxBytes` together, and one at least. */
export function firstFew<T extends { bytes: number }>(rows: readonly T[], maxBytes: number): T[] {
  let sum = 0;
  return rows.filter(({ bytes }, index) => {
    sum += bytes;
    return index === 0 || sum <= maxBytes;
  });
}
