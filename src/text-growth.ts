/** Far more than the addresses of a real site add to its texts. */
export const MAX_ADDED_CHARACTERS = 64 * 1024 * 1024;

/**
 * Limits how much the texts of one import grow by what takes the place of something short: a text that names a long address a million
 * times would need more memory than there is.
 */
export class TextGrowth {
  #room = MAX_ADDED_CHARACTERS;

  /** Counts the characters of a replacement. Returns whether there is room for it. */
  admits(added: number): boolean {
    if (added > this.#room) return false;
    if (added > 0) this.#room -= added;
    return true;
  }
}
