import type { BrandInput, BrandJson } from '../../contract.ts';

const noTexts = {
  name: '',
  accent: '',
  supportEmail: '',
  supportUrl: '',
  legalNoticeUrl: '',
  privacyUrl: '',
  termsUrl: '',
  senderName: '',
  replyTo: '',
  logo: '',
  logoDark: '',
  icon: '',
};

/** The fields of a brand as texts of a form. An empty text stands for the default. */
export type BrandTexts = typeof noTexts;

export const fieldNames = Object.keys(noTexts) as (keyof BrandTexts)[];

/** Returns the texts of a brand. Without a brand, only the colour has a value, which is that of the account. */
export function textsOf(brand: BrandJson | null, accent: string): BrandTexts {
  if (!brand) return { ...noTexts, accent };
  return Object.fromEntries(fieldNames.map((name) => [name, brand[name] ?? ''])) as BrandTexts;
}

/** Returns the fields to send: only changed ones, since another user may have changed the others. */
export function inputOf(texts: BrandTexts, brand: BrandJson | null): BrandInput {
  const before = textsOf(brand, '');
  const changed = fieldNames.filter((name) => !brand || texts[name] !== before[name]);
  return {
    ...Object.fromEntries(changed.map((name) => [name, texts[name]])),
    seenVersion: brand?.version ?? 0,
  };
}
