/*
 * Extracts the part of a built style sheet that a document needs for its first view. Reads only what Vite writes: minified,
 * valid CSS without comments. An unneeded rule costs a few bytes. A missing one takes effect with the whole sheet.
 */

/** Returns the CSS for a document's first view. Omits fonts: their files load later, and text is shown before that. */
export function criticalCss(css: string, html: string): string {
  const classes = new Set([...html.matchAll(/\bclass="([^"]*)"/g)].flatMap(([, names]) => names!.split(/\s+/)));
  return withoutUnusedProperties(keepUsedRules(css, classes), html);
}

function keepUsedRules(css: string, classes: ReadonlySet<string>): string {
  return topLevelRules(css)
    .map(([head, body]) => {
      if (/^@(?:media|supports|layer|container)\b/.test(head)) {
        const inner = /\bprint\b/.test(head) ? '' : keepUsedRules(body, classes);
        return inner && `${head}{${inner}}`;
      }
      if (head.startsWith('@')) return '';
      const selectors = splitSelectors(head).filter((selector) => mayMatch(selector, classes));
      return selectors.length > 0 ? `${selectors.join(',')}{${body}}` : '';
    })
    .join('');
}

function mayMatch(selector: string, classes: ReadonlySet<string>): boolean {
  const wanted = selector.replace(/:(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)/g, (part) =>
    part.startsWith(':where') ? part : '',
  );
  return [...wanted.matchAll(/\.((?:[\w-]|\\.)+)/g)].every(([, name]) => classes.has(name!.replaceAll('\\', '')));
}

/** Removes custom properties that nothing uses, then those that only these used, and so on. */
function withoutUnusedProperties(css: string, html: string): string {
  for (let before = ''; before !== css; ) {
    before = css;
    const used = new Set([...(css + html).matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name]) => name));
    css = css.replace(/(?<=[{;])(--[\w-]+):[^;{}]*(?:;|(?=\}))/g, (all, name) => (used.has(name) ? all : ''));
  }
  return css.replace(/[^{}]+\{\}/g, '');
}

/** Returns the top-level rules, each with the text before its braces and the text between them. */
function topLevelRules(css: string): [head: string, body: string][] {
  const found: [string, string][] = [];
  let start = 0;
  let opened = 0;
  let depth = 0;
  for (let at = 0; at < css.length; at++) {
    const char = css[at];
    if (char === '"' || char === "'") at = endOfString(css, at);
    else if (char === '{' && depth++ === 0) opened = at;
    else if (char === '}' && --depth === 0) {
      found.push([css.slice(start, opened).trim(), css.slice(opened + 1, at)]);
      start = at + 1;
    } else if (char === ';' && depth === 0) start = at + 1;
  }
  return found;
}

/** Splits a list of selectors at the commas outside of brackets. */
function splitSelectors(selectors: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < selectors.length; at++) {
    const char = selectors[at];
    if (char === '(' || char === '[') depth++;
    else if (char === ')' || char === ']') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(selectors.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, selectors.slice(start)];
}

function endOfString(css: string, start: number): number {
  let at = start + 1;
  while (at < css.length && css[at] !== css[start]) at += css[at] === '\\' ? 2 : 1;
  return at;
}
