/* The account's own images: pages name them by an address that is the site's, `/media/NAME`. */

const OWN = /^\/media\/([\w-]+\.(?:webp|avif))$/;

/** Where this app gets the image from. The address of any other stays as it is. */
export function inApp(src: string): string {
  const name = OWN.exec(src)?.[1];
  return name === undefined ? src : `/admin/media/file?name=${name}`;
}

/** What the service takes; what a file really is, it finds out by itself. */
export const KINDS = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

/** The images among files that were dropped, pasted or chosen. What it really is tells the service. */
export function imagesAmong(files: Iterable<File> | null | undefined): File[] {
  return [...(files ?? [])].filter(({ type }) => type.startsWith('image/'));
}
