type Key = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'key' | 'code'>;

/** Whether it is Ctrl, or ⌘, with this small letter and nothing else. */
export function isCommand({ ctrlKey, metaKey, shiftKey, altKey, key, code }: Key, letter: string): boolean {
  // Where keys have other letters than Latin ones, it is the key that would have this one.
  const isIt = /^[a-z]$/i.test(key) ? key.toLowerCase() === letter : code === `Key${letter.toUpperCase()}`;
  return (ctrlKey || metaKey) && !shiftKey && !altKey && isIt;
}
