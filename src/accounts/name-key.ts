import { fold } from '../fold.ts';

/** Longer names are compared by their beginnings. */
const MAX_CHARACTERS = 100;

/** Returns a name without accents and case, by which customers are found. */
export function nameKey(name: string): string {
  return fold(name.trim()).slice(0, MAX_CHARACTERS);
}
