const MAX_NAME_CHARACTERS = 255;

/** What is wrong with the name of anything, trimmed, as the end of a sentence; undefined when nothing is. */
export function validateName(name: string): string | undefined {
  if (name === '') return "can't be blank";
  if (name.includes('\0')) return 'contains a NUL character';
  // Most names are short: count characters, not UTF-16 units, only where it can matter, and of megabytes no more than it takes.
  if (name.length > MAX_NAME_CHARACTERS && [...name.slice(0, 2 * MAX_NAME_CHARACTERS + 1)].length > MAX_NAME_CHARACTERS)
    return `is too long (maximum is ${MAX_NAME_CHARACTERS} characters)`;
  return undefined;
}

/**
 * Checks the name that a person enters for a user, account, key or passkey: others read it in lists and messages, amid our
 * own words. Direction marks and joiners are allowed, since Persian, Indic scripts and emoji need them; characters that
 * change the direction of the text after the name are not.
 */
export function validateLabel(name: string): string | undefined {
  const mistake = validateName(name);
  if (mistake !== undefined) return mistake;
  if (/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(name)) return 'contains a control character';
  // Such a name is invisible: a person or key in a list would seem to have none.
  if (/^[\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(name)) return "can't be blank";
  return undefined;
}
