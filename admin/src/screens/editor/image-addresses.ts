/** An image that a text names by its address. */
export interface NamedImage {
  readonly src: string;
  /** Where the address stands. */
  readonly from: number;
  readonly to: number;
}

/* Neither goes on beyond the next beginning, or for ever: a long text is read once. */
const named = [
  /!\[(?:(?!!\[)[^\]\n]){0,2000}\]\(\s*<?(https?:\/\/[^\s<>)]+)/dgi,
  /<img\b[^<>]*?\ssrc\s*=\s*["']?(https?:\/\/[^\s"'<>]+)/dgi,
];

/** The images of Markdown or HTML that are on other hosts. */
export function foreignImages(text: string): NamedImage[] {
  return (
    named
      .flatMap((pattern) => [...text.matchAll(pattern)])
      // As Markdown and HTML read it.
      .map(({ 1: src, indices }) => ({
        src: src!.replace(/&(?:amp|#38);/g, '&'),
        from: indices![1]![0],
        to: indices![1]![1],
      }))
      .sort((one, other) => one.from - other.from)
  );
}

/** The bytes of a `data:` address as a file; undefined where it is no image that the service takes. */
export function fileOfData(src: string): File | undefined {
  const [, type, subtype, data] = /^data:(image\/(jpeg|png|webp|avif|gif));base64,(.*)$/is.exec(src.trim()) ?? [];
  if (data === undefined) return undefined;
  try {
    const text = atob(decodeURIComponent(data));
    // By their places: as characters, photographs would take many times the room.
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    return new File([bytes], `image.${subtype!.toLowerCase()}`, { type: type!.toLowerCase() });
  } catch {
    return undefined;
  }
}
