import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * A key consists of `fh_`, 26 random characters out of 62 (154 bits), and 6 characters of checksum. Scanners for leaked
 * secrets recognize the form, and a mistyped key is refused without a database query.
 */
const PREFIX = 'fh_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 26;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

export function newApiKey(): string {
  let random = '';
  for (let index = 0; index < RANDOM_LENGTH; index++) random += ALPHABET[randomInt(ALPHABET.length)];
  return PREFIX + random + checksum(random);
}

/** Returns true if the text has a key's form and a correct checksum, whether or not the key was ever issued. */
export function isWellFormedKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH);
  return text.endsWith(checksum(random));
}

/** Returns the hash under which a key is stored. A plain hash is enough: nobody guesses 154 random bits. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
