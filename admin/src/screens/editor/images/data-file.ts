/** The bytes of a `data:` address as a file; undefined where it is no image that the service takes. */
export function fileOfData(src: string, name = 'image'): File | undefined {
  const [, type, subtype, data] = /^data:(image\/(jpeg|png|webp|avif|gif));base64,(.*)$/is.exec(src.trim()) ?? [];
  if (data === undefined) return undefined;
  try {
    const text = atob(decodeURIComponent(data));
    // By their places: as characters, photographs would take many times the room.
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    return new File([bytes], `${name}.${subtype!.toLowerCase()}`, { type: type!.toLowerCase() });
  } catch {
    return undefined;
  }
}
