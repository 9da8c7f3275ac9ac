import type { Theme } from '../../../sites/site.ts';
import { business } from './business/theme.ts';
import type { ThemeDefinition } from './theme.ts';
import { typographic } from './typographic/theme.ts';

/** Every look a site can have. */
export const themeDefinitions: Readonly<Record<Theme, ThemeDefinition>> = {
  typographic,
  business,
  portfolio: business,
  documentation: typographic,
};
