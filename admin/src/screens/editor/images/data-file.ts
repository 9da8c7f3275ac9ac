/** Returns the bytes of a `data:` URL as a file, or undefined if it is not an image of a supported type. */
export function fileOfData(src: string, name = 'image'): File | undefined {
  const [, type, subtype, data] = /^data:(image\/(jpeg|png|webp|avif|gif));base64,(.*)$/is.exec(src.trim()) ?? [];
  if (data === undefined) return undefined;
  try {
    const text = atob(decodeURIComponent(data));
    // A loop over indexes: spreading a photograph into characters would take many times its memory.
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    return new File([bytes], `${name}.${subtype!.toLowerCase()}`, { type: type!.toLowerCase() });
  } catch {
    return undefined;
  }
}
