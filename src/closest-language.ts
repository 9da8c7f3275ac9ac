/** The language whose words serve a language without words of its own. */
const closest: Readonly<Record<string, string>> = {
  no: 'nb',
  nn: 'nb',
  iw: 'he',
  'zh-hk': 'zh-tw',
  'zh-hant': 'zh-tw',
};

/** Returns which of the languages serves a BCP 47 tag best (`pt-BR` reads as `pt`); English if none does. */
export function closestLanguage(tag: string, languages: ReadonlySet<string>): string {
  const lower = tag.toLowerCase();
  const found = [lower, lower.split('-').slice(0, 2).join('-'), lower.split('-')[0]!]
    .map((candidate) => closest[candidate] ?? candidate)
    .find((candidate) => languages.has(candidate));
  return found ?? 'en';
}
