import type { BrandInput, BrandJson } from '../../contract.ts';

const noTexts = {
  ...{ name: '', accent: '', supportEmail: '', supportUrl: '', legalNoticeUrl: '' },
  ...{ privacyUrl: '', termsUrl: '', senderName: '', replyTo: '', logo: '', logoDark: '', icon: '' },
};

/** The fields of a brand as a form has them: empty for their defaults. */
export type BrandTexts = typeof noTexts;

export const fieldNames = Object.keys(noTexts) as (keyof BrandTexts)[];

/** Returns the texts of a brand. Without one, only the colour has a value: the account's own. */
export function textsOf(brand: BrandJson | null, accent: string): BrandTexts {
  if (!brand) return { ...noTexts, accent };
  return Object.fromEntries(fieldNames.map((name) => [name, brand[name] ?? ''])) as BrandTexts;
}

/** Returns what to send: only what differs, since somebody else may have changed the other fields. */
export function inputOf(texts: BrandTexts, brand: BrandJson | null): BrandInput {
  const before = textsOf(brand, '');
  const changed = fieldNames.filter((name) => !brand || texts[name] !== before[name]);
  return {
    ...Object.fromEntries(changed.map((name) => [name, texts[name]])),
    seenVersion: brand?.version ?? 0,
  };
}
