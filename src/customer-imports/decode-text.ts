/**
 * Decodes a spreadsheet's text file: UTF-16 if it has a byte order mark, UTF-8 if it is valid, and otherwise Windows-1252,
 * in which Excel saves CSV in Western Europe. Any file is valid in Windows-1252.
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
