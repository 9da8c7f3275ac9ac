import { accentTokens } from '../../accent-tokens.ts';
import { escapeHtml } from '../../html.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns an SVG with the site's initial on its accent colour. It is legible on light and dark tabs, as it has its own
 * background.
 */
export function favicon(name: string, accent: string): string {
  const { accent: ground, onAccent } = accentTokens(accent, ['#ffffff']);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="${ground}"/><text x="32" y="33" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif" font-size="40" font-weight="700" fill="${onAccent}" text-anchor="middle" dominant-baseline="central">${escapeHtml(initial(name))}</text></svg>`;
}

/** Returns the first letter or digit of any script in upper case, or the first visible character if there is neither. */
export function initial(name: string): string {
  const graphemes = [...segmenter.segment(name)].map(({ segment }) => segment);
  const first =
    graphemes.find((grapheme) => /^[\p{L}\p{N}]/u.test(grapheme)) ??
    graphemes.find((it) => /[^\p{C}\s]/u.test(it)) ??
    '·';
  const upper = first.toLocaleUpperCase('en');
  // "ß" becomes two letters in upper case, which do not fit.
  return [...segmenter.segment(upper)].length === 1 ? upper : first;
}
