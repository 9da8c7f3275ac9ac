type Key = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'key' | 'code'>;

/** True if the key is Ctrl or ⌘ with this lower-case letter and no other modifier. */
export function isCommand({ ctrlKey, metaKey, shiftKey, altKey, key, code }: Key, letter: string): boolean {
  // On a keyboard without Latin letters, uses the key that has this letter on a US keyboard.
  const isLetter = /^[a-z]$/i.test(key) ? key.toLowerCase() === letter : code === `Key${letter.toUpperCase()}`;
  return (ctrlKey || metaKey) && !shiftKey && !altKey && isLetter;
}
