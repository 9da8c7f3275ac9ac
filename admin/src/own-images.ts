/* The account's own images. Pages refer to them by a path on the site, `/media/NAME`. */

const OWN = /^\/media\/([\w-]+\.(?:webp|avif))$/;

/** Returns the URL at which the app loads an image of the site. Returns other URLs unchanged. */
export function appImageUrl(src: string): string {
  const name = OWN.exec(src)?.[1];
  return name === undefined ? src : `/admin/media/file?name=${name}`;
}

/** True for the path of one of the account's own images. */
export function isOwnImage(src: string): boolean {
  return OWN.test(src);
}

/** Returns the URL at which the app loads an image in the trash. */
export function trashImageUrl(src: string): string {
  return `${appImageUrl(src)}&trash`;
}

/** The supported image types. The service detects the real type of a file by itself. */
export const IMAGE_TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

/** Returns the images among dropped, pasted or chosen files, by their declared types. The service checks the real types. */
export function imagesAmong(files: Iterable<File> | null | undefined): File[] {
  return [...(files ?? [])].filter(({ type }) => type.startsWith('image/'));
}
