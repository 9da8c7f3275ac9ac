import { getAccountOperation } from './account.ts';
import { createCustomerOperation } from './create-customer.ts';
import { createPageOperation } from './create-page.ts';
import { listPagesOperation } from './list-pages.ts';
import type { CreateOperation, Operation } from './operation.ts';

/** Every operation of the interface. The OpenAPI document has them in this order. */
export const operations: readonly Operation[] = [
  createCustomerOperation,
  createPageOperation,
  listPagesOperation,
  getAccountOperation,
];

const creations = new Map(
  operations
    .filter((operation) => operation.method === 'POST')
    .map((operation) => [operation.path as string, operation]),
);

/** Returns the creation at the path. */
export function findCreation(path: string): CreateOperation | undefined {
  return creations.get(path);
}
