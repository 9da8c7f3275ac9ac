/** Far more than the addresses of a real site add to its texts. */
export const MAX_ADDED_CHARACTERS = 64 * 1024 * 1024;

/**
 * Limits how much replacements may enlarge the texts of one import. A text that contains a short placeholder for a long
 * address a million times would otherwise exceed the memory.
 */
export class TextGrowth {
  #room = MAX_ADDED_CHARACTERS;

  /** Counts the characters that a replacement adds. Returns true if it is allowed. */
  admits(added: number): boolean {
    if (added > this.#room) return false;
    if (added > 0) this.#room -= added;
    return true;
  }
}
