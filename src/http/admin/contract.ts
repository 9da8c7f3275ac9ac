/*
 * What the admin app and its surface say to each other; the app imports its types from here. Nothing but types, so that the
 * app's bundle has nothing of the server's. Times are milliseconds since 1970 UTC, ids
 * are whole numbers.
 */

export type * from './contract/common.ts';
export type * from './contract/media.ts';
export type * from './contract/pages.ts';
export type * from './contract/settings.ts';
export type * from './contract/signing-in.ts';
export type * from './contract/writing.ts';
