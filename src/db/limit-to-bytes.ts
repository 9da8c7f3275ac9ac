/** Returns the first rows: as many as have at most `maxBytes` together, but at least one. */
export function limitToBytes<T extends { bytes: number }>(rows: readonly T[], maxBytes: number): T[] {
  let sum = 0;
  return rows.filter(({ bytes }, index) => {
    sum += bytes;
    return index === 0 || sum <= maxBytes;
  });
}
