import { strings } from './strings.ts';

/* The account's own images: pages name them by an address that is the site's, `/media/NAME`. */

const OWN = /^\/media\/([\w-]+\.(?:webp|avif))$/;

/** Where this app gets the image from. The address of any other stays as it is. */
export function inApp(src: string): string {
  const name = OWN.exec(src)?.[1];
  return name === undefined ? src : `/admin/media/file?name=${name}`;
}

/** What the service takes; what a file really is, it finds out by itself. */
export const KINDS = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

export function fileSize(bytes: number): string {
  const units = ['KB', 'MB', 'GB'] as const;
  const power = Math.min(Math.max(Math.floor(Math.log2(Math.max(1, bytes)) / 10), 1), units.length);
  const [amount, unit] = [bytes / 1024 ** power, units[power - 1]!];
  return `${amount.toLocaleString(strings.locale, { maximumFractionDigits: unit === 'KB' ? 0 : 1 })} ${unit}`;
}

/** The images among files that were dropped, pasted or chosen. What it really is tells the service. */
export function imagesAmong(files: Iterable<File> | null | undefined): File[] {
  return [...(files ?? [])].filter(({ type }) => type.startsWith('image/'));
}
