/** Fallback languages for languages that have no translation. */
const closest: Readonly<Record<string, string>> = {
  no: 'nb',
  nn: 'nb',
  iw: 'he',
  'zh-hk': 'zh-tw',
  'zh-hant': 'zh-tw',
};

/** Returns the language of the set that fits a BCP 47 tag best (`pt` for `pt-BR`); English if none fits. */
export function closestLanguage(tag: string, languages: ReadonlySet<string>): string {
  const lower = tag.toLowerCase();
  const found = [lower, lower.split('-').slice(0, 2).join('-'), lower.split('-')[0]!]
    .map((candidate) => closest[candidate] ?? candidate)
    .find((candidate) => languages.has(candidate));
  return found ?? 'en';
}
