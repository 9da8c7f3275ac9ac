import type { BrokenRule } from './field-error.ts';

const MAX_NAME_CHARACTERS = 255;

/** Returns the rule that a trimmed name breaks; undefined if it is valid. */
export function validateName(name: string): BrokenRule | undefined {
  if (name === '') return { code: 'blank' };
  if (name.includes('\0')) return { code: 'nul_character' };
  // Most names are short. Characters, rather than UTF-16 code units, are counted only if it matters, and only at the
  // beginning of a long text.
  if (name.length > MAX_NAME_CHARACTERS && [...name.slice(0, 2 * MAX_NAME_CHARACTERS + 1)].length > MAX_NAME_CHARACTERS)
    return { code: 'too_long', params: { max: MAX_NAME_CHARACTERS } };
  return undefined;
}

/**
 * Validates the name of a user, account, plan, key or passkey, which others read in lists and messages within our own
 * words. Direction marks and joiners are allowed, since Persian, Indic scripts and emoji need them. Characters that change
 * the direction of the text after the name are not.
 */
export function validateLabel(name: string): BrokenRule | undefined {
  const mistake = validateName(name);
  if (mistake !== undefined) return mistake;
  if (/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(name)) return { code: 'control_character' };
  // An invisible name would make its user or key look nameless in a list.
  if (/^[\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(name)) return { code: 'blank' };
  return undefined;
}
