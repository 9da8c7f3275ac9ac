/** Returns the path and query of a request target, which a proxy may send in its absolute form. */
export function splitTarget(target: string): { path: string; query: string } {
  if (!target.startsWith('/')) return splitAbsolute(target);
  return splitPath(target);
}

function splitAbsolute(target: string): { path: string; query: string } {
  const [, rest] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(target) ?? [];
  if (rest === undefined) return { path: target, query: '' };
  return splitPath(rest.startsWith('/') ? rest : `/${rest}`);
}

function splitPath(target: string): { path: string; query: string } {
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
