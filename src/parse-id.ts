/** Parses an id like `account_12`, or its number alone; undefined for any other text. */
export function parseId(prefix: string, text: string): number | undefined {
  const bare = text.startsWith(`${prefix}_`) ? text.slice(prefix.length + 1) : text;
  return /^[1-9]\d{0,14}$/.test(bare) ? Number(bare) : undefined;
}
