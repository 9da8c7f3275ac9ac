/** The longest name: long enough for any real name, and too short for a message that the sender smuggles in. */
const MAX_NAME_CHARACTERS = 100;

/** Shortens the names of the user and the account, and the values of the given fields, since other people have chosen them. */
export function withShortNames<T extends { userName: string; accountName: string }, K extends keyof T>(
  values: T,
  others: readonly K[] = [],
): T {
  const short = { ...values };
  for (const name of ['userName', 'accountName', ...others] as K[])
    short[name] = shortened(values[name] as string) as T[K];
  return short;
}

export function shortened(name: string): string {
  const characters = [...name];
  return characters.length > MAX_NAME_CHARACTERS ? `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join('')}…` : name;
}

/**
 * Returns the text with a zero-width space after each dot and colon within a word, so that no mail program turns the word
 * into a link. Mail addresses stay unchanged, so that they can be copied: they lead to no website.
 */
export function withoutLinks(text: string): string {
  // Most texts contain no such character, and need not be read word by word.
  if (!/[.:。．｡]\S/u.test(text)) return text;
  return text.replace(/\S+/gu, (word) =>
    MAIL_ADDRESS.test(word) ? word : word.replace(/[.:。．｡](?=.)/gu, '$&\u200b'),
  );
}

/**
 * Matches a word that is exactly one mail address. With any other character around, mail programs may see a website:
 * `example.com?@x`.
 */
const MAIL_ADDRESS = /^[\p{L}\p{N}_'+-]+(?:\.[\p{L}\p{N}_'+-]+)*@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}[.,;!?)]?$/u;
