import { type AccentTokens, accentTokens } from '../accent-tokens.ts';
import type { ShownBrand } from './shown-brand.ts';

/** The colours behind the admin app's text and controls, from admin/src/theme.ts. */
const LIGHT_BACKGROUNDS = ['#fbfaf7', '#ffffff', '#f1efe9'];
const DARK_BACKGROUNDS = ['#151817', '#1d2120', '#262b29'];

export type Scheme = 'light' | 'dark';

/** Returns the variants of a brand's colour for the admin app in light or dark mode. */
export function appColours(accent: string, scheme: Scheme): AccentTokens {
  return accentTokens(accent, scheme === 'light' ? LIGHT_BACKGROUNDS : DARK_BACKGROUNDS);
}

/**
 * Returns the CSS rules that apply a brand's colour to the admin app, in light and dark mode. Like the colours of sites, it
 * becomes lighter or darker as far as legibility requires. The rules also hide the product's logo, the name beside a logo,
 * and, of two logos, the one for the other mode.
 */
export function appStyle({ accent, logo, logoDark }: Pick<ShownBrand, 'accent' | 'logo' | 'logoDark'>): string {
  const colours = rules('light', accent) + rules('dark', accent);
  const hidden = ['[data-product-logo]'];
  if (logo) hidden.push('[data-brand-name]');
  if (logo && logoDark) {
    hidden.push('[data-mantine-color-scheme=dark] [data-brand-logo=light]');
    hidden.push('[data-mantine-color-scheme=light] [data-brand-logo=dark]');
  }
  return `${colours}${hidden}{display:none}`;
}

/** Returns the rules for one mode. The selector has a higher specificity than Mantine's, which comes later in the page. */
function rules(scheme: Scheme, chosen: string): string {
  const { accent, onAccent, accentText, accentSoft } = appColours(chosen, scheme);
  const values = {
    '--mantine-color-ink-filled': accent,
    '--mantine-color-ink-filled-hover': `color-mix(in srgb,${accent} 90%,${onAccent === '#ffffff' ? '#000' : '#fff'})`,
    '--mantine-primary-color-filled': accent,
    '--mantine-primary-color-contrast': onAccent,
    '--mantine-color-ink-light': accentSoft,
    '--mantine-color-ink-light-hover': accentSoft,
    '--mantine-color-ink-light-color': accentText,
    '--mantine-color-ink-outline': accentText,
    '--mantine-color-ink-text': accentText,
    '--mantine-color-anchor': accentText,
    '--app-on-primary': onAccent,
    '--app-selected': accentSoft,
  };
  const declarations = Object.entries(values).map(([name, value]) => `${name}:${value}`);
  return `:root:root[data-mantine-color-scheme=${scheme}]{${declarations.join(';')}}`;
}
