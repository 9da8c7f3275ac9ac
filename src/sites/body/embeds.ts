import { addressText, linkAddress } from './addresses.ts';
import { type Attributes, type Element, element } from './node.ts';

interface Embed {
  src: string;
  title: string;
  isVideo: boolean;
}

/**
 * What stands in for a frame: the embed of a host that sites allow, in a frame made anew, or else a link to where the
 * frame would have led; undefined where that is nowhere.
 */
export function frame(attributes: ReadonlyMap<string, string>): Element | undefined {
  const address = linkAddress(attributes.get('src') ?? attributes.get('data-src') ?? '');
  const given = attributes.get('title')?.trim();
  const url = address && webAddress(address);
  if (!url) return undefined;
  const embed = embedOf(url);
  if (!embed) return element('p', {}, [link(url.href, given)]);
  const { src, title, isVideo } = embed;
  const size = sizeOf(attributes, isVideo ? ['560', '315'] : ['600', '450']);
  const attributesOfFrame: Attributes = {
    src,
    title: given || title,
    width: size[0],
    height: size[1],
    loading: 'lazy',
    // Without a referrer YouTube refuses to play and Google to show its map.
    referrerpolicy: 'strict-origin-when-cross-origin',
    sandbox: 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation',
  };
  if (isVideo) Object.assign(attributesOfFrame, { allow: 'encrypted-media; picture-in-picture', allowfullscreen: '' });
  return element('div', { class: 'embed' }, [element('iframe', attributesOfFrame)]);
}

/** The address is that of a video which can be embedded. */
export function isVideoAddress(address: string): boolean {
  const url = webAddress(address);
  return url !== undefined && (embedOf(url)?.isVideo ?? false);
}

function link(href: string, text: string | undefined): Element {
  return element('a', { href, rel: 'noopener' }, [{ text: text || addressText(href) }]);
}

function webAddress(address: string): URL | undefined {
  const url = URL.parse(address.startsWith('//') ? `https:${address}` : address);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

function embedOf(url: URL): Embed | undefined {
  // An address with a user or a port in it is not one that these hosts give out.
  if (url.username !== '' || url.password !== '' || url.port !== '') return undefined;
  switch (url.hostname) {
    case 'youtube.com':
    case 'www.youtube.com':
    case 'm.youtube.com':
    case 'www.youtube-nocookie.com':
    case 'youtube-nocookie.com':
      return youtube(url, /^\/(?:embed|shorts|live|v)\/([\w-]{6,20})\/?$/.exec(url.pathname)?.[1] ?? watched(url));
    case 'youtu.be':
      return youtube(url, /^\/([\w-]{6,20})$/.exec(url.pathname)?.[1]);
    case 'vimeo.com':
    case 'www.vimeo.com':
      return vimeo(url, /^\/(\d{1,12})(?:\/([\da-f]{1,20}))?\/?$/.exec(url.pathname));
    case 'player.vimeo.com':
      return vimeo(url, /^\/video\/(\d{1,12})\/?$/.exec(url.pathname));
    case 'www.openstreetmap.org':
      return url.pathname === '/export/embed.html'
        ? embed('https://www.openstreetmap.org/export/embed.html', pick(url, ['bbox', 'layer', 'marker']), 'Map')
        : undefined;
    case 'www.google.com':
    case 'maps.google.com':
      return googleMap(url);
    default:
      return undefined;
  }
}

function watched(url: URL): string | undefined {
  const id = url.pathname === '/watch' ? url.searchParams.get('v') : null;
  return id && /^[\w-]{6,20}$/.test(id) ? id : undefined;
}

function youtube(url: URL, id: string | undefined): Embed | undefined {
  if (!id) return undefined;
  const query = pick(url, ['start', 'end', 'list', 'index', 'loop', 'playlist', 'controls', 'cc_load_policy', 'rel']);
  const start = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(url.searchParams.get('t') ?? '');
  const seconds = start ? Number(start[1] ?? 0) * 3600 + Number(start[2] ?? 0) * 60 + Number(start[3] ?? 0) : 0;
  if (seconds > 0) query.set('start', String(seconds));
  return { ...embed(`https://www.youtube-nocookie.com/embed/${id}`, query, 'YouTube video'), isVideo: true };
}

function vimeo(url: URL, found: RegExpExecArray | null): Embed | undefined {
  if (!found) return undefined;
  const query = pick(url, ['h', 'color', 'title', 'byline', 'portrait', 'loop']);
  if (found[2]) query.set('h', found[2]);
  query.set('dnt', '1');
  return { ...embed(`https://player.vimeo.com/video/${found[1]}`, query, 'Vimeo video'), isVideo: true };
}

function googleMap(url: URL): Embed | undefined {
  // The oldest form, which Google answers at www.google.com too.
  const isOld = /^\/maps\/?$/.test(url.pathname) && url.searchParams.get('output') === 'embed';
  const isEmbed = url.hostname === 'www.google.com' && /^\/maps\/(?:d\/)?embed(?:\/v1\/[a-z]+)?$/.test(url.pathname);
  if (!isOld && !isEmbed) return undefined;
  return embed(`https://www.google.com${url.pathname}`, url.searchParams, 'Google map');
}

function embed(address: string, query: URLSearchParams, title: string): Embed {
  const text = query.toString();
  return { src: text ? `${address}?${text}` : address, title, isVideo: false };
}

function pick(url: URL, names: string[]): URLSearchParams {
  const picked = new URLSearchParams();
  for (const name of names) {
    const value = url.searchParams.get(name);
    if (value !== null) picked.set(name, value);
  }
  return picked;
}

/** Both or none: one alone says nothing of the shape. */
function sizeOf(attributes: ReadonlyMap<string, string>, usual: [string, string]): [string, string] {
  const [width, height] = ['width', 'height'].map(
    (name) => /^\d{2,4}(?=(?:px)?$)/.exec(attributes.get(name) ?? '')?.[0],
  );
  return width && height ? [width, height] : usual;
}
