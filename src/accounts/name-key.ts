import { fold } from '../fold.ts';

/** Longer names are compared by their first 100 characters. */
const MAX_CHARACTERS = 100;

/** Returns a name without accents and case, for finding customers by name. */
export function nameKey(name: string): string {
  return fold(name.trim()).slice(0, MAX_CHARACTERS);
}
