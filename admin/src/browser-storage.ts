/* Stores values in this browser. If its storage is full or unavailable, they are kept only as long as the tab is open. */

const inTab = new Map<string, string>();

/** Stores a value. Returns true if it survives closing the tab. */
export function storeItem(key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    inTab.delete(key);
    return true;
  } catch {
    inTab.set(key, text);
    return false;
  }
}

/** Returns a stored value, or undefined if there is none or it is not valid JSON. */
export function readItem(key: string): unknown {
  try {
    return JSON.parse(inTab.get(key) ?? localStorage.getItem(key) ?? '');
  } catch {
    return undefined;
  }
}

export function storedKeys(): string[] {
  try {
    return [...new Set([...inTab.keys(), ...Object.keys(localStorage)])];
  } catch {
    return [...inTab.keys()];
  }
}

export function removeItem(key: string): void {
  inTab.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // The storage is unavailable, so it has no such key.
  }
}

/** Matches the key prefix used before version 1.0. Matches any word, because no script may contain the former name itself. */
const FORMER_KEY = /^(?!app:)[a-z]+:(?=(?:draft|form|open):\d)/;

/** Renames the entries stored before version 1.0: drafts, forms and the open pages of the tree. */
function renameFormerKeys(): void {
  for (const key of storedKeys()) {
    if (!FORMER_KEY.test(key)) continue;
    const text = localStorage.getItem(key);
    if (text === null) continue;
    try {
      localStorage.setItem(key.replace(FORMER_KEY, 'app:'), text);
    } catch {
      // The storage is full: the entry keeps its old name until there is space.
      continue;
    }
    localStorage.removeItem(key);
  }
}

renameFormerKeys();
