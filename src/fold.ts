import { normalForm } from './normal-form.ts';

/** Removes accents and case, as far as possible. */
export function fold(text: string): string {
  // Most names are ASCII, and need only this.
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  return normalForm(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
