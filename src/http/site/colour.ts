import { hash } from 'node:crypto';
import { type AccentTokens, accentTokens, onFill } from '../../accent-tokens.ts';
import type { ThemeDefinition } from './themes/theme.ts';

interface AccentStyle {
  /** The content of a `<style>` element. */
  css: string;
  /** The source for the policy's `style-src`: `'sha256-…'`, with the quotes. */
  hash: string;
}

/** Returns the account's accent as custom properties for a theme, for light and dark. */
export function accentStyle(accent: string, { backgrounds }: ThemeDefinition): AccentStyle {
  const light = declarations(accentTokens(accent, backgrounds.light));
  const dark = declarations(accentTokens(accent, backgrounds.dark));
  // The chosen colour, unchanged, for large areas, which need no contrast with the page.
  const poster = `--poster:${accent};--on-poster:${onFill(accent)}`;
  const css = `:root{${light};${poster}}@media (prefers-color-scheme:dark){:root{${dark}}}`;
  return { css, hash: `'sha256-${hash('sha256', css, 'base64')}'` };
}

function declarations({ accent, onAccent, accentText, accentSoft }: AccentTokens): string {
  return `--accent:${accent};--on-accent:${onAccent};--accent-text:${accentText};--accent-soft:${accentSoft}`;
}
