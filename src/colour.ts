/**
 * Returns a colour as `#rrggbb` in lower case; undefined if the text is not a colour. Accepts `#abc`, and a missing `#`: a
 * shell would take the rest of the line for a comment.
 */
export function parseColour(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text.trim().toLowerCase())?.[1];
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}
