/** Images up to this many pixels are copied losslessly. Larger photographs would take many times the space as PNG. */
const MAX_LOSSLESS_PIXELS = 1_000_000;

/**
 * Returns the image as a file, or undefined if its website forbids reading it. The image is drawn to a canvas, because the
 * app's content security policy allows loading images from other hosts, but no other requests.
 */
export async function fetchImageFile(src: string): Promise<File | undefined> {
  // The canvas would have only the first frame of an animation.
  if (/\.gif(?:[?#]|$)/i.test(src)) return undefined;
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.referrerPolicy = 'no-referrer';
  image.src = src;
  try {
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext('2d')!.drawImage(image, 0, 0);
    const kind = canvas.width * canvas.height > MAX_LOSSLESS_PIXELS ? 'image/webp' : 'image/png';
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, kind, 0.95));
    return blob ? new File([blob], nameOf(src, blob.type), { type: blob.type }) : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(src: string, type: string): string {
  const last = new URL(src).pathname
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '');
  return `${/^[\w-]{1,60}$/.test(last) ? last : 'image'}.${type.replace('image/', '')}`;
}
