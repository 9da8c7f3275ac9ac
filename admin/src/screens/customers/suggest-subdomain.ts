/** Letters with a special spelling in addresses: German umlauts, and letters that cannot be decomposed. */
const spellings: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  þ: 'th',
  ð: 'd',
};

/** Returns the subdomain that a name suggests, or an empty string if the name has no usable character. */
export function suggestSubdomain(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[äöüßæœøłđþð]/g, (letter) => spellings[letter]!)
    .normalize('NFD')
    .replace(/[\p{Diacritic}'’]/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-|-$/g, '');
}
