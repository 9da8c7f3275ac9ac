/** True if a JSON document is an export of Ghost. */
export function isGhostExport(document: unknown): boolean {
  return postsIn(document) !== undefined;
}

/** Returns the posts and pages of an export of Ghost; undefined for any other document. */
export function postsIn(document: unknown): readonly unknown[] | undefined {
  // Exports made with Ghost's API are not wrapped in "db".
  const list = isObject(document) ? document.db : undefined;
  const first: unknown = Array.isArray(list) ? list[0] : document;
  const data = isObject(first) ? first.data : undefined;
  return isObject(data) && Array.isArray(data.posts) ? data.posts : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
