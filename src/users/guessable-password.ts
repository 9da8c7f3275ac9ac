import { readFile } from 'node:fs/promises';
import { domainToUnicode } from 'node:url';
import type { BrokenRule } from '../field-error.ts';
import { normalForm } from '../normal-form.ts';

/** What strangers may know about the owner of a password. */
export interface PasswordOwner {
  userName: string;
  email: string;
  accountName: string;
  /** All hosts of the account's site, in ASCII and without a port. */
  hosts: readonly string[];
}

const MIN_DISTINCT_CHARACTERS = 5;
/** The fewest letters and digits that a password must have besides the owner's names. */
const MIN_CHARACTERS_BESIDE_NAMES = 6;

/**
 * Returns why a password is easy to guess; undefined if it isn't. Checks only passwords that a person chooses in the app,
 * not those sent to the API.
 */
export async function validateGuessability(password: string, owner: PasswordOwner): Promise<BrokenRule | undefined> {
  const given = withoutSeparators([plainForm(password)]);
  const forms = given.flatMap((form) => [form, lettersFor(form)]);
  const names = namesOf(owner);
  const rests = forms.map((form) => names.reduce((rest, name) => rest.replaceAll(name, ' '), form));
  const isNamed = rests.some((rest, index) => rest !== forms[index] && countOf(rest) < MIN_CHARACTERS_BESIDE_NAMES);
  if (isNamed) return { code: 'personal_password' };
  if (forms.some(isPattern) || (await areCommon([...forms, ...rests].flatMap(variantsOf)))) {
    return { code: 'common_password' };
  }
  return undefined;
}

/** Converts to lower case without accents and invisible characters, and full-width and similar letters to plain ones. */
function plainForm(text: string): string {
  return normalForm(text, 'NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .toLowerCase();
}

/** Returns the texts unchanged and also without separators: `pass word` is as common as `password`. */
function withoutSeparators(texts: readonly string[]): string[] {
  return [...texts, ...texts.map((text) => text.replace(/[\s._-]+/gu, ''))];
}

/** Replaces digits and punctuation marks by the letters that they commonly stand for, as in `p@ssw0rd`. */
function lettersFor(text: string): string {
  const letters: Readonly<Record<string, string>> = {
    '@': 'a',
    4: 'a',
    3: 'e',
    1: 'i',
    '!': 'i',
    0: 'o',
    $: 's',
    5: 's',
    7: 't',
  };
  return text.replace(/[@431!0$57]/g, (character) => letters[character]!);
}

/**
 * Returns the mail address, the hosts, and the words in them and in the names. Leaves out top-level domains. The longest
 * come first.
 */
function namesOf({ userName, email, accountName, hosts }: PasswordOwner): string[] {
  const addresses = [email, ...hosts, ...hosts.map(domainToUnicode)].map(plainForm);
  const withoutTopLevel = addresses.map((address) => address.replace(/\.[^.@]*$/, ''));
  const words = [plainForm(userName), plainForm(accountName), ...withoutTopLevel].flatMap((name) =>
    name.split(/[^\p{L}\p{N}]+/u),
  );
  return [...new Set([...withoutSeparators(addresses), ...words])]
    .filter((word) => [...word].length >= 3)
    .sort((a, b) => b.length - a.length);
}

function countOf(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** True for texts of few different characters or of consecutive ones, such as `12345678`, `hgfedcba` or `abababab`. */
function isPattern(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0)!);
  const steps = new Set(codes.slice(1).map((code, index) => code - codes[index]!));
  return new Set(codes).size < MIN_DISTINCT_CHARACTERS || (steps.size === 1 && Math.abs([...steps][0]!) === 1);
}

/**
 * Returns variants of the text: without up to six digits or marks at each end, with digits read as letters, and with a
 * repeated text reduced to one occurrence.
 */
function variantsOf(text: string): string[] {
  const [, core = ''] = /^[^\p{L}]{0,6}(.*?)[^\p{L}]{0,6}$/su.exec(text.trim()) ?? [];
  return [text, core].flatMap((form) => [form, lettersFor(form)]).flatMap((form) => [form, repeatedUnit(form)]);
}

function repeatedUnit(text: string): string {
  for (const times of [2, 3, 4]) {
    const unit = text.slice(0, text.length / times);
    if (unit.repeat(times) === text) return unit;
  }
  return text;
}

/** Well-known passphrases, in lower case and without spaces. The list of common passwords contains none of this length. */
const KNOWN_PHRASES: ReadonlySet<string> = new Set([
  'correcthorsebatterystaple',
  'thequickbrownfox',
  'thequickbrownfoxjumpsoverthelazydog',
  'tobeornottobe',
  'tobeornottobethatisthequestion',
  'maytheforcebewithyou',
]);

/**
 * True if one of the texts is a known phrase or among the 49,000 most common passwords. The file is read and searched each
 * time rather than kept in memory: people choose passwords too rarely. A search takes 3 ms.
 */
async function areCommon(texts: readonly string[]): Promise<boolean> {
  if (texts.some((text) => KNOWN_PHRASES.has(text))) return true;
  const list = await readFile(new URL(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json')), 'utf8');
  return texts.some((text) => text.length >= 3 && list.includes(JSON.stringify(text)));
}
