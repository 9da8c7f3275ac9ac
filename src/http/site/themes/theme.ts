import type { Theme } from '../../../sites/site.ts';
import type { Html } from '../markup.ts';
import type { Strings } from '../strings.ts';
import type { PageView } from '../view.ts';

/** A look: its own template and style sheet. What it shares with the others comes from `parts/` and `themes/base.css`. */
export interface ThemeDefinition {
  name: Theme;
  /** Everything inside `<body>`. */
  body: (view: PageView, strings: Strings) => Html;
  /**
   * The backgrounds of text and links, as `#rrggbb`, the page's own first: the accent is kept legible on all
   * of them. The style sheet uses the same colours.
   */
  backgrounds: { light: readonly string[]; dark: readonly string[] };
  /** File URLs of style sheets, put together into one in this order, after `themes/base.css`. */
  stylesheets: readonly string[];
  /** File URLs of a font package's style sheets, served with the fonts they name. */
  fonts: readonly string[];
  /** Names of the font files that text above the fold needs at once, as in the package: one or two. */
  preload: readonly string[];
}
