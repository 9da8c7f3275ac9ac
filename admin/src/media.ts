/* The account's own images: pages name them by an address that is the site's, `/media/NAME`. */

const OWN = /^\/media\/([\w-]+\.(?:webp|avif))$/;

/** Returns the URL at which this app gets an image of the site. URLs of other images stay as they are. */
export function inApp(src: string): string {
  const name = OWN.exec(src)?.[1];
  return name === undefined ? src : `/admin/media/file?name=${name}`;
}

/** Tells whether an address is that of an image of the account's own. */
export function isOwn(src: string): boolean {
  return OWN.test(src);
}

/** Where this app gets an image in the trash from. */
export function inTrash(src: string): string {
  return `${inApp(src)}&trash`;
}

/** The types of images that the service takes; it finds out by itself of which type a file really is. */
export const KINDS = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

/** The images among files that were dropped, pasted or chosen. What it really is tells the service. */
export function imagesAmong(files: Iterable<File> | null | undefined): File[] {
  return [...(files ?? [])].filter(({ type }) => type.startsWith('image/'));
}
