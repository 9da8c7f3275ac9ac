/** Returns the ids from one item to another, in either direction, or only the second if the first is not in the list. */
export function between(items: readonly { readonly id: number }[], from: number | undefined, to: number): number[] {
  const ids = items.map(({ id }) => id);
  const [start, end] = [ids.indexOf(from ?? to), ids.indexOf(to)];
  return start < 0 ? [to] : ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}
