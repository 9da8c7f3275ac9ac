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
