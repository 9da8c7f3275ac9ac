import * as v from 'valibot';
import type { Interval } from '../../../db/schema.ts';
import { text, wholeNumber } from '../schema.ts';

/*
 * The customers of the account: the accounts that were created under it.
 */

/**
 * GET /admin/customers?before=ID: 50 customers, the latest first. With `q`, 50 at most by name: those whose name or subdomain
 * begins with it, or which have a person with this mail address or this domain.
 */
export const customersQuery = v.object({ before: v.optional(wholeNumber), q: v.optional(text) });

export interface CustomersJson {
  customers: CustomerJson[];
  hasMore: boolean;
  /** How many active customers there are altogether, on any plan. */
  active: number;
}

export interface CustomerJson {
  id: number;
  name: string;
  subdomain: string;
  /** The address of its site. */
  address: string;
  status: 'active' | 'suspended';
  createdAt: number;
  plan: { name: string; priceCents: number; interval: Interval };
}
