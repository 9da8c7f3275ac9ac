import { directionOf } from './direction.ts';
import { head } from './head.ts';
import { html } from './markup.ts';
import { withEmbedPlates } from './parts/embed-plates.ts';
import { stringsFor } from './strings.ts';
import { themeDefinitions } from './themes/index.ts';
import type { PageView } from './view.ts';

/** Returns the whole HTML document of a page, in its site's theme. */
export function renderDocument(view: PageView): string {
  const { site, kind, isHome } = view;
  const theme = themeDefinitions[site.theme];
  const strings = stringsFor(site.language);
  // The class is for purely visual differences between kinds of pages.
  return html`<!DOCTYPE html>
<html lang="${site.language}" dir="${directionOf(site.language)}" class="${isHome ? 'home' : kind}">
<head>
${head(view, theme, strings)}
</head>
<body>
${theme.body({ ...view, bodyHtml: withEmbedPlates(view.bodyHtml, site, strings) }, strings)}
</body>
</html>
`.text;
}
