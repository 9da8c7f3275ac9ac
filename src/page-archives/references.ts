interface Mark {
  /** The characters that end an address after the mark. */
  readonly ends: string;
  /** The characters that an address after the mark cannot contain. */
  readonly breaks: string;
}

/** The marks before an address in Markdown and HTML. After each mark, a breaking character precedes the next mark. */
const marks: Readonly<Record<string, Mark>> = {
  '](': { ends: ') \t\r\n', breaks: '[](<>"' },
  '](<': { ends: '>', breaks: '<\r\n' },
  ']: ': { ends: ' \t\r\n', breaks: '<' },
  ']: <': { ends: '>', breaks: '<\r\n' },
  'src="': { ends: '"', breaks: '' },
  "src='": { ends: "'", breaks: '' },
  'href="': { ends: '"', breaks: '' },
  "href='": { ends: "'", breaks: '' },
};

/** The longest address that can name a file of an archive. */
const MAX_ADDRESS_CHARACTERS = 2000;

/** Replaces addresses in a Markdown or HTML text. `replacement` returns undefined to keep an address. */
export function replaceAddresses(text: string, replacement: (address: string) => string | undefined): string {
  const parts: string[] = [];
  let done = 0;
  const mark = /\]\(<?|\]: <?|(?:src|href)=["']/g;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const start = mark.lastIndex;
    const end = endOf(text, start, marks[found[0]]!);
    const newAddress = end === undefined ? undefined : replacement(text.slice(start, end));
    if (end === undefined || newAddress === undefined) continue;
    parts.push(text.slice(done, start), newAddress);
    done = end;
    mark.lastIndex = end;
  }
  return parts.join('') + text.slice(done);
}

function endOf(text: string, start: number, { ends, breaks }: Mark): number | undefined {
  const last = Math.min(text.length, start + MAX_ADDRESS_CHARACTERS);
  for (let index = start; index < last; index++) {
    const character = text[index]!;
    if (ends.includes(character)) return index;
    if (breaks.includes(character)) return undefined;
  }
  // The end of the text also ends its last line.
  return last === text.length && ends.includes('\n') ? last : undefined;
}

/** Resolves a relative address against the path of the file that has it; undefined for other addresses. */
export function resolvePath(address: string, from: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address)) return undefined;
  const [path = ''] = address.split(/[?#]/, 1);
  const names = path.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const name of decoded(path).split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') names.pop();
    else names.push(name);
  }
  return names.join('/');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
