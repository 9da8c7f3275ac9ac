/**
 * Decodes a text file of a spreadsheet: UTF-16 if it says so, UTF-8 if it is valid, and otherwise the encoding of Western
 * European Windows, in which Excel saves CSV. Any file is valid in the last one.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
