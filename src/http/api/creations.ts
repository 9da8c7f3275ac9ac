import type { CreationOf } from './create.ts';
import { customerCreation } from './create-customer.ts';
import { pageCreation } from './create-page.ts';

/** The creations by their paths. */
export const creations: ReadonlyMap<string, CreationOf> = new Map([
  ['/api/customers.json', customerCreation],
  ['/api/pages.json', pageCreation],
]);
