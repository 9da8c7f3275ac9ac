/** Cuts a list that was read with `limit + 1` to `limit` entries. An extra entry shows that there are more. */
export function partOf<T>(found: readonly T[], limit: number): { shown: T[]; hasMore: boolean } {
  return { shown: found.slice(0, limit), hasMore: found.length > limit };
}

/** Like `partOf`, but with the cursor of the last entry shown, after which the list continues; null at the end of the list. */
export function partWithNext<T, C>(found: readonly T[], limit: number, cursorOf: (last: T) => C) {
  const { shown, hasMore } = partOf(found, limit);
  return { shown, next: hasMore ? cursorOf(shown.at(-1)!) : null };
}
