/** A number of bytes as people read it. */
export function megabytes(bytes: number): string {
  const [amount, unit] = bytes >= 1e9 ? [bytes / 1e9, 'GB'] : [bytes / 1e6, 'MB'];
  return `${amount >= 100 ? Math.round(amount) : Math.round(amount * 10) / 10} ${unit}`;
}
