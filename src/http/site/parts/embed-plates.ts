import { escapeHtml } from '../../../html.ts';
import type { embedHosts } from '../../../sites/body/embed-address.ts';
import { assetUrl } from '../assets.ts';
import { accentStyle } from '../colour.ts';
import { directionOf } from '../direction.ts';
import { html, trusted } from '../markup.ts';
import type { Strings } from '../strings.ts';
import { themeDefinitions } from '../themes/index.ts';
import type { SiteView } from '../view.ts';

/** The company behind each host that frames may load, by the name that visitors know. */
const companies: Readonly<Record<(typeof embedHosts)[number], string>> = {
  'www.youtube-nocookie.com': 'YouTube (Google)',
  'player.vimeo.com': 'Vimeo',
  'www.openstreetmap.org': 'OpenStreetMap',
  'www.google.com': 'Google',
};

/** Matches a frame as the renderer writes it. Authors cannot write this markup themselves. */
const FRAME = /(<div class="embed"><iframe )src="(https:\/\/([^/"]+)\/[^"]*)" title="([^"]*)"/g;

/**
 * The most frames that get a document in the site's design, which takes 2 KB each. No page written by hand has more; further
 * frames get only a link.
 */
const MAX_PLATES = 100;

/**
 * Replaces the URL of each frame with a document of our own that has one link. A visitor's browser requests nothing from the
 * other host until the link is followed, which loads the video or map in the same frame. That needs no script.
 */
export function withEmbedPlates(body: string, site: SiteView, strings: Strings): string {
  if (!body.includes('<iframe ')) return body;
  const { language, theme } = site;
  const { css } = accentStyle(site.accent, themeDefinitions[theme]);
  const style = html`<link rel="stylesheet" href="${assetUrl(`${theme}.css`)}"><style>${trusted(css)}</style>`;
  let count = 0;
  return body.replace(FRAME, (whole, start: string, src: string, host: string, title: string) => {
    const company = companies[host as keyof typeof companies];
    if (company === undefined) return whole;
    count += 1;
    if (count > MAX_PLATES) {
      return `${start}srcdoc="${escapeHtml(`<!DOCTYPE html><title>${title}</title><a href="${src}">${title}</a>`)}" title="${title}"`;
    }
    const isVideo = host === 'www.youtube-nocookie.com' || host === 'player.vimeo.com';
    const plate = html`<!DOCTYPE html><html lang="${language}" dir="${directionOf(language)}" class="embed-plate"><title>${trusted(title)}</title>${style}<body><a href="${trusted(
      isVideo ? autoplaying(src) : src,
    )}"><strong>${isVideo ? strings.playVideo : strings.showMap}</strong> <span>${trusted(title)}</span></a><p>${strings.connectsTo(company)}</p>`;
    return html`${trusted(start)}srcdoc="${plate.text}" title="${trusted(title)}"`.text;
  });
}

/** Adds autoplay, because the visitor has already clicked to play the video. */
function autoplaying(src: string): string {
  return `${src}${src.includes('?') ? '&amp;' : '?'}autoplay=1`;
}
