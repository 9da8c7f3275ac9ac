/* What is used of the library for ZIP archives. The package has this file bundled with it: see packaging/build.ts. */
export { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
