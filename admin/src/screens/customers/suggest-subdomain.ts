/** The letters that lose no accent and have other letters in addresses. */
const spellings: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  þ: 'th',
  ð: 'd',
};

/** Returns the subdomain that a name suggests; empty if nothing is left of it. */
export function suggestSubdomain(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{Diacritic}'’]/gu, '')
    .replace(/[ßæœøłđþð]/g, (letter) => spellings[letter]!)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-|-$/g, '');
}
