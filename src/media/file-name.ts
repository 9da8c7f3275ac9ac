const MAX_NAME_CHARACTERS = 255;

/** Returns the display name of an image from the name of its file, without any path. */
export function fileName(raw: string): string {
  const last = raw
    .replace(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/^.*[/\\]/s, '')
    .trim();
  return [...last].slice(0, MAX_NAME_CHARACTERS).join('') || 'image';
}
