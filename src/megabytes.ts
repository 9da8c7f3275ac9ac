/** Formats a number of bytes. Units are powers of 1,024, like the limits. */
export function megabytes(bytes: number): string {
  if (bytes > 0 && bytes < 2 ** 20) return `${Math.ceil(bytes / 1024)} KB`;
  const [amount, unit] = bytes >= 2 ** 30 ? [bytes / 2 ** 30, 'GB'] : [bytes / 2 ** 20, 'MB'];
  return `${amount >= 100 ? Math.round(amount) : Math.round(amount * 10) / 10} ${unit}`;
}
