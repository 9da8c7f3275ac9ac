/* The part of the library for ZIP archives that is used. The package bundles it with this file: see packaging/build.ts. */
export { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
