/*
 * How this program was made and what its commands are called. Plain JavaScript for the oldest Node.js that anybody may start
 * it with: `compile-cache.js` has to tell them.
 */

/** Whether this is the package that `npm pack` makes, where the sources are compiled to `lib`, and not a checkout. */
export const isPackage = new URL('.', import.meta.url).pathname.endsWith('/lib/');

/** The command that calls the command line. */
export const commandLine = isPackage ? 'freehold' : 'npm run --silent freehold --';
