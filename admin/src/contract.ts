/* The one description of what the app and the service say to each other is the service's; nothing but types comes in. */
export type * from '../../src/http/admin/contract.ts';
