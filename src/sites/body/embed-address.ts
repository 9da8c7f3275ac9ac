/*
 * Decides which embeds are shown in a frame, and at which URL. Only this file has that rule: the sites' sanitizer and the
 * app's editors both use it, so it imports nothing and runs in Node and in browsers.
 */

/** The only hosts that frames may load. The sites' Content-Security-Policy names them, too. */
export const embedHosts = [
  'www.youtube-nocookie.com',
  'player.vimeo.com',
  'www.openstreetmap.org',
  'www.google.com',
] as const;

export interface Embed {
  /** A normalized URL on one of `embedHosts`. Normalizing it again does not change it. */
  readonly src: string;
  /** The default title: shown on the sites, and proposed by the editors. */
  readonly title: string;
  readonly isVideo: boolean;
}

/** The longest address: `URLSearchParams` takes quadratic time, and no real embed is as long. */
const MAX_EMBED_ADDRESS_CHARACTERS = 2048;

/** Parses a web address. An address that begins with `//` is taken as https. */
export function webUrl(address: string): URL | undefined {
  const url = URL.parse(address.startsWith('//') ? `https:${address}` : address);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Returns the video or map that the address leads to; undefined if it cannot be embedded. */
export function embedOf(url: URL): Embed | undefined {
  if (url.href.length > MAX_EMBED_ADDRESS_CHARACTERS) return undefined;
  // The URLs of these hosts never have a user or a port.
  if (url.username !== '' || url.password !== '' || url.port !== '') return undefined;
  switch (url.hostname) {
    case 'youtube.com':
    case 'www.youtube.com':
    case 'm.youtube.com':
    case 'www.youtube-nocookie.com':
    case 'youtube-nocookie.com':
      return youtube(url, /^\/(?:embed|shorts|live|v)\/([\w-]{6,20})\/?$/.exec(url.pathname)?.[1] ?? watchedId(url));
    case 'youtu.be':
      return youtube(url, /^\/([\w-]{6,20})$/.exec(url.pathname)?.[1]);
    case 'vimeo.com':
    case 'www.vimeo.com':
      return vimeo(url, /^\/(?:channels\/[\w-]+\/)?(\d{1,12})(?:\/([\da-f]{1,20}))?\/?$/.exec(url.pathname));
    case 'player.vimeo.com':
      return vimeo(url, /^\/video\/(\d{1,12})\/?$/.exec(url.pathname));
    case 'openstreetmap.org':
    case 'www.openstreetmap.org':
      return openStreetMap(url);
    case 'www.google.com':
    case 'maps.google.com':
      return googleMap(url);
    default:
      return undefined;
  }
}

/** Returns the width and height of a frame: the given ones if both are valid, since one alone does not tell the shape. */
export function embedSize(
  { isVideo }: Pick<Embed, 'isVideo'>,
  width: string | null | undefined,
  height: string | null | undefined,
): [width: string, height: string] {
  const [wide, high] = [width, height].map((given) => /^\d{2,4}(?=(?:px)?$)/.exec(given ?? '')?.[0]);
  if (wide && high) return [wide, high];
  return isVideo ? ['560', '315'] : ['600', '450'];
}

function watchedId(url: URL): string | undefined {
  const id = url.pathname === '/watch' ? url.searchParams.get('v') : null;
  return id && /^[\w-]{6,20}$/.test(id) ? id : undefined;
}

function youtube(url: URL, id: string | undefined): Embed | undefined {
  if (!id) return undefined;
  const names = ['start', 'end', 'list', 'index', 'loop', 'playlist', 'controls', 'cc_load_policy', 'rel'];
  const start = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(url.searchParams.get('t') ?? '');
  const seconds = start ? Number(start[1] ?? 0) * 3600 + Number(start[2] ?? 0) * 60 + Number(start[3] ?? 0) : 0;
  const query = pick(url, names, seconds > 0 ? { start: String(seconds) } : {});
  return { ...embed(`https://www.youtube-nocookie.com/embed/${id}`, query, 'YouTube video'), isVideo: true };
}

function vimeo(url: URL, found: RegExpExecArray | null): Embed | undefined {
  if (!found) return undefined;
  const query = pick(url, ['h', 'color', 'title', 'byline', 'portrait', 'loop'], found[2] ? { h: found[2] } : {});
  query.set('dnt', '1');
  return { ...embed(`https://player.vimeo.com/video/${found[1]}`, query, 'Vimeo video'), isVideo: true };
}

function openStreetMap(url: URL): Embed | undefined {
  const query = url.pathname === '/export/embed.html' ? pick(url, ['bbox', 'layer', 'marker']) : sectionOf(url);
  return query && embed('https://www.openstreetmap.org/export/embed.html', query, 'Map');
}

/** Returns the section of the map whose URL was copied: around the place and at the scale after the `#`. */
function sectionOf(url: URL): URLSearchParams | undefined {
  if (!/^\/(?:search|(?:node|way|relation)\/\d+)?$/.test(url.pathname)) return undefined;
  const found = /[#&]map=(\d{1,2})(?:\.\d+)?\/(-?\d{1,2}(?:\.\d{1,15})?)\/(-?\d{1,3}(?:\.\d{1,15})?)(?:&|$)/.exec(
    url.hash,
  );
  if (!found) return undefined;
  const [scale, latitude, longitude] = found.slice(1).map(Number) as [number, number, number];
  if (scale > 20 || Math.abs(latitude) > 85 || Math.abs(longitude) > 180) return undefined;
  // Half of a frame of 600 × 450 pixels, on a map 256 pixels wide at scale 0. Degrees get narrower towards the poles.
  const wide = (300 * 360) / (256 * 2 ** scale);
  const high = ((225 * 360) / (256 * 2 ** scale)) * Math.cos((latitude * Math.PI) / 180);
  const south = Math.max(latitude - high, -85);
  const north = Math.min(latitude + high, 85);
  const corners = [longitude - wide, south, longitude + wide, north];
  const query = new URLSearchParams({ bbox: corners.map((corner) => corner.toFixed(6)).join(','), layer: 'mapnik' });
  const marked = ['mlat', 'mlon'].map((name) => url.searchParams.get(name) ?? '');
  if (marked.every((value) => /^-?\d{1,3}(?:\.\d{1,15})?$/.test(value))) query.set('marker', marked.join(','));
  return query;
}

function googleMap(url: URL): Embed | undefined {
  // The oldest form, which Google answers at www.google.com, too.
  const isOld = /^\/maps\/?$/.test(url.pathname) && url.searchParams.get('output') === 'embed';
  const isEmbed = url.hostname === 'www.google.com' && /^\/maps\/(?:d\/)?embed(?:\/v1\/[a-z]+)?$/.test(url.pathname);
  if (!isOld && !isEmbed) return undefined;
  return embed(`https://www.google.com${url.pathname}`, url.searchParams, 'Google map');
}

function embed(address: string, query: URLSearchParams, title: string): Embed {
  const text = query.toString();
  return { src: text ? `${address}?${text}` : address, title, isVideo: false };
}

/**
 * Returns the named parameters, or their `known` values, in the order of the names, so that parsing again changes nothing.
 */
function pick(url: URL, names: string[], known: Readonly<Record<string, string>> = {}): URLSearchParams {
  const picked = new URLSearchParams();
  for (const name of names) {
    const value = known[name] ?? url.searchParams.get(name);
    if (value !== null) picked.set(name, value);
  }
  return picked;
}
