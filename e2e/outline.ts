const withoutContent = new Set(['br', 'hr', 'img', 'input', 'wbr']);

/** Returns how elements are nested in well-formed HTML, from its tags: `<p><b>//` and a slash for the end of it all. */
export function outline(html: string): string {
  const parts: string[] = [];
  for (const [, end, name] of html.matchAll(/<(\/?)([a-z][a-z\d]*)[^>]*>/g)) {
    if (end) parts.push('/');
    else parts.push(`<${name}>`, withoutContent.has(name!) ? '/' : '');
  }
  return `${parts.join('')}/`;
}
