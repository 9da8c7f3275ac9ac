/** Enough for any name, and too little for a message of the sender's own. */
const MAX_NAME_CHARACTERS = 100;

/** Shortens the names of the person and the account, and the values of the given fields: other people have chosen them. */
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
 * Returns the text with a zero-width space behind each dot and colon within a word, so that no mail program makes a
 * link of it. Mail addresses stay as they are, to be read and copied: they lead to no website.
 */
export function withoutLinks(text: string): string {
  // Most texts have none, and are not read word by word.
  if (!/[.:。．｡]\S/u.test(text)) return text;
  return text.replace(/\S+/gu, (word) =>
    MAIL_ADDRESS.test(word) ? word : word.replace(/[.:。．｡](?=.)/gu, '$&\u200b'),
  );
}

/**
 * A word that is nothing but an address. Around any other character, mail programs may see a website and something else: `example.com?@x`.
 */
const MAIL_ADDRESS = /^[\p{L}\p{N}_'+-]+(?:\.[\p{L}\p{N}_'+-]+)*@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}[.,;!?)]?$/u;
