/* The service defines the contract between itself and the app. Only its types are imported. */
export type * from '../../src/http/admin/contract.ts';
