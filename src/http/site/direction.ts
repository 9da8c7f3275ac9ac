const rightToLeft = new Set([
  'ar',
  'arc',
  'ckb',
  'dv',
  'fa',
  'he',
  'iw',
  'ji',
  'ks',
  'ku',
  'ps',
  'sd',
  'syr',
  'ug',
  'ur',
  'yi',
]);

const rightToLeftScripts = new Set(['adlm', 'arab', 'hebr', 'nkoo', 'rohg', 'syrc', 'thaa']);

/** Returns the direction of a language. If its tag has a script (`az-Arab`, `ku-Latn`), the script decides. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  const [primary, ...rest] = language.toLowerCase().split('-');
  const script = rest.find((subtag) => /^[a-z]{4}$/.test(subtag));
  const isRightToLeft = script ? rightToLeftScripts.has(script) : rightToLeft.has(primary!);
  return isRightToLeft ? 'rtl' : 'ltr';
}
