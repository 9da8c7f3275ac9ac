/*
 * Keeps values for a user in this browser: in its storage or, if that is full or not available, for as long as the tab is
 * open.
 */

const inTab = new Map<string, string>();

/** Whether it is still there when the tab is closed. */
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

/** Undefined where there is nothing, or nothing that we wrote. */
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
    // Where there is no storage, there is nothing in it.
  }
}

/** The prefix of the keys of this app. Before version 1.0 it was another one, of which no script is to have the word. */
const FORMER_KEY = /^(?!app:)[a-z]+:(?=(?:draft|form|open):\d)/;

/** Renames what was stored before version 1.0: drafts, forms and the open pages of the tree. */
function renameFormerKeys(): void {
  for (const key of storedKeys()) {
    if (!FORMER_KEY.test(key)) continue;
    const text = localStorage.getItem(key);
    if (text === null) continue;
    try {
      localStorage.setItem(key.replace(FORMER_KEY, 'app:'), text);
    } catch {
      // There is no room: it is found under its former name once there is.
      continue;
    }
    localStorage.removeItem(key);
  }
}

renameFormerKeys();
