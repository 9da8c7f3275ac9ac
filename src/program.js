/*
 * How this program was packaged, and how its commands are called. Plain JavaScript for the oldest Node.js that may run it:
 * `compile-cache.js` has to report that version.
 */

/** True in the package that `npm pack` makes, where the sources are compiled to `lib`; false in a checkout. */
export const isPackage = new URL('.', import.meta.url).pathname.endsWith('/lib/');

/** The command with which the command line is called. */
export const commandLine = isPackage ? 'freehold' : 'npm run --silent freehold --';
