import { linkUrl, urlText } from './addresses.ts';
import { embedOf, embedSize, webUrl } from './embed-address.ts';
import { type Attributes, type Element, element } from './node.ts';

/**
 * Returns the replacement of a frame: an allowed embed in a new frame, otherwise a link to its target; undefined if the
 * frame has no target.
 */
export function frame(attributes: ReadonlyMap<string, string>): Element | undefined {
  const address = linkUrl(attributes.get('src') ?? attributes.get('data-src') ?? '');
  const given = attributes.get('title')?.trim();
  const url = address && webUrl(address);
  if (!url) return undefined;
  const embed = embedOf(url);
  if (!embed) return element('p', {}, [link(url.href, given)]);
  const { src, title, isVideo } = embed;
  const size = embedSize(embed, attributes.get('width'), attributes.get('height'));
  const attributesOfFrame: Attributes = {
    src,
    title: given || title,
    width: size[0],
    height: size[1],
    loading: 'lazy',
    // Without a referrer, YouTube refuses to play, and Google to show its map.
    referrerpolicy: 'strict-origin-when-cross-origin',
    sandbox: 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation',
  };
  if (isVideo) {
    // The host is named because sites show their own document in the frame until a visitor asks for the video.
    const { origin } = new URL(src);
    const allow = ['autoplay', 'encrypted-media', 'picture-in-picture'].map((feature) => `${feature} ${origin}`);
    Object.assign(attributesOfFrame, { allow: allow.join('; '), allowfullscreen: '' });
  }
  return element('div', { class: 'embed' }, [element('iframe', attributesOfFrame)]);
}

/** True if the address is that of a video that can be embedded. */
export function isVideoUrl(address: string): boolean {
  const url = webUrl(address);
  return url !== undefined && (embedOf(url)?.isVideo ?? false);
}

function link(href: string, text: string | undefined): Element {
  return element('a', { href, rel: 'noopener' }, [{ text: text || urlText(href) }]);
}
