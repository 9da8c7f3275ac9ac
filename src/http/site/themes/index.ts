import type { Theme } from '../../../sites/site.ts';
import { business } from './business/theme.ts';
import { documentation } from './documentation/theme.ts';
import { portfolio } from './portfolio/theme.ts';
import type { ThemeDefinition } from './theme.ts';
import { typographic } from './typographic/theme.ts';

/** All themes that a site can have. */
export const themeDefinitions: Readonly<Record<Theme, ThemeDefinition>> = {
  typographic,
  business,
  portfolio,
  documentation,
};
