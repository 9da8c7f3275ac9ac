import { type Embed, embedOf, embedSize, webUrl } from '../../../embeds.ts';
import { parseHtml } from '../../../parts/parse-html.ts';

/** The attributes that the editors write on an iframe. The site keeps them all and adds permissions such as sandbox. */
export interface EmbedAttributes {
  readonly title: string;
  readonly src: string;
  readonly width: string;
  readonly height: string;
  readonly allowfullscreen: '' | null;
  readonly loading: 'lazy';
}

/** A video or map, recognized from its address or embed code. */
export interface FoundEmbed extends Embed {
  readonly size: readonly [width: string, height: string];
}

/** Returns the embed for an address or another website's embed code, or undefined for anything else. */
export function readEmbed(text: string): FoundEmbed | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('<')) return findEmbed(isWithoutScheme(trimmed) ? `https://${trimmed}` : trimmed);
  const frame = parseHtml(trimmed).querySelector('iframe');
  return frame ? readFrame(frame) : undefined;
}

/** Reads an embed from a frame in an existing document. */
export function readFrame(frame: HTMLIFrameElement): FoundEmbed | undefined {
  const attribute = (name: string) => frame.getAttribute(name);
  return findEmbed(attribute('src')?.trim() ?? '', attribute('title')?.trim(), attribute('width'), attribute('height'));
}

/** Returns the embed that pasted text becomes on an empty line. Accepts embed code and, as in Markdown, addresses of videos. */
export function readPastedEmbed(text: string): FoundEmbed | undefined {
  if (/^<(?:div\b[^>]*>\s*<)?iframe\b/i.test(text)) return readEmbed(text);
  const embed = /^https?:\/\/\S+$/i.test(text) ? readEmbed(text) : undefined;
  return embed?.isVideo ? embed : undefined;
}

export function attributesOf({ src, size: [width, height], isVideo }: FoundEmbed, title: string): EmbedAttributes {
  return { title, src, width, height, allowfullscreen: isVideo ? '' : null, loading: 'lazy' };
}

export function frameHtml(attributes: EmbedAttributes): string {
  // A detached document does not load the frame.
  const frame = document.implementation.createHTMLDocument().createElement('iframe');
  for (const [name, value] of Object.entries(attributes)) if (value !== null) frame.setAttribute(name, value);
  return frame.outerHTML;
}

function findEmbed(
  address: string,
  title?: string,
  width?: string | null,
  height?: string | null,
): FoundEmbed | undefined {
  const url = webUrl(address);
  const embed = url && embedOf(url);
  if (!embed) return undefined;
  return { ...embed, title: title || embed.title, size: embedSize(embed, width, height) };
}

function isWithoutScheme(text: string): boolean {
  return /^[\w-]+(?:\.[\w-]+)+\//.test(text);
}
