/*
 * The types that the admin app shares with its routes; the app imports them from here. Inputs are inferred from the routes'
 * schemas. Only types are exported, so that the app's bundle contains no server code. Times are milliseconds since 1970 UTC,
 * ids are numbers.
 */

export type * from './contract/archives.ts';
export type * from './contract/authorization.ts';
export type * from './contract/brand.ts';
export type * from './contract/common.ts';
export type * from './contract/customer-notes.ts';
export type * from './contract/customers.ts';
export type * from './contract/impersonations.ts';
export type * from './contract/imports.ts';
export type * from './contract/media.ts';
export type * from './contract/overview.ts';
export type * from './contract/page-imports.ts';
export type * from './contract/pages.ts';
export type * from './contract/plans.ts';
export type * from './contract/redirects.ts';
export type * from './contract/revenue.ts';
export type * from './contract/settings.ts';
export type * from './contract/signing-in.ts';
export type * from './contract/templates.ts';
export type * from './contract/trash.ts';
export type * from './contract/webhooks.ts';
export type * from './contract/writing.ts';
