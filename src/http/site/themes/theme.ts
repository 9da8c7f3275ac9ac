import type { Theme } from '../../../sites/site.ts';
import type { Html } from '../markup.ts';
import type { Strings } from '../strings.ts';
import type { PageView } from '../view.ts';

/** A theme: its own template and style sheet. Everything that themes share comes from `parts/` and `themes/base.css`. */
export interface ThemeDefinition {
  name: Theme;
  /** Returns the content of `<body>`. */
  body: (view: PageView, strings: Strings) => Html;
  /**
   * The backgrounds of text and links, as `#rrggbb`; the first is the page's own. The accent is kept legible on all of them.
   * The style sheet must use the same colours.
   */
  backgrounds: { light: readonly string[]; dark: readonly string[] };
  /** File URLs of style sheets, concatenated in this order after `themes/base.css`. */
  stylesheets: readonly string[];
  /** File URLs of font packages' style sheets, which are served with their fonts. */
  fonts: readonly string[];
  /** Names of the one or two font files, as in the package, that text above the fold needs at once. */
  preload: readonly string[];
}
