import { hash } from 'node:crypto';
import { type AccentTokens, accentTokens, onFill } from '../../accent-tokens.ts';
import type { ThemeDefinition } from './themes/theme.ts';

interface AccentStyle {
  /** To stand in a `<style>` as it is. */
  css: string;
  /** Its name in the policy's `style-src`: `'sha256-…'`, with the quotes. */
  hash: string;
}

/** The account's accent as a theme's tokens, for light and dark. */
export function accentStyle(accent: string, { backgrounds }: ThemeDefinition): AccentStyle {
  const light = declarations(accentTokens(accent, backgrounds.light));
  const dark = declarations(accentTokens(accent, backgrounds.dark));
  // The chosen colour unchanged, for large areas, which need no contrast with the page.
  const poster = `--poster:${accent};--on-poster:${onFill(accent)}`;
  const css = `:root{${light};${poster}}@media (prefers-color-scheme:dark){:root{${dark}}}`;
  return { css, hash: `'sha256-${hash('sha256', css, 'base64')}'` };
}

function declarations({ accent, onAccent, accentText, accentSoft }: AccentTokens): string {
  return `--accent:${accent};--on-accent:${onAccent};--accent-text:${accentText};--accent-soft:${accentSoft}`;
}
