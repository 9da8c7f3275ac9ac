/**
 * Returns a colour as `#rrggbb` in lower case; undefined if the text is none. `#abc` is one, and the sign may
 * be missing: a shell takes what follows it for a comment.
 */
export function parseColour(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text.trim().toLowerCase())?.[1];
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}
