import { useLocation, useSearchParams } from 'wouter';
import type { CustomersQuery } from '../../contract.ts';

/** The query parameters of the filters, in the order in which they are shown. */
const filterNames = [
  'plan',
  'template',
  'state',
  'signedIn',
  'mail',
  'domain',
  'usage',
  'change',
  'from',
  'to',
] as const;
type FilterName = (typeof filterNames)[number];

/** The filters and the order of the list. An empty filter matches all customers. */
export type CustomerView = Record<FilterName, string> & { sort: string };

/** Returns the filters and the order of the list, which are stored in the address of the screen, with functions to set them. */
export function useCustomerView() {
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const value = (name: string) => params.get(name) ?? '';
  const filters = Object.fromEntries(filterNames.map((name) => [name, value(name)])) as Record<FilterName, string>;
  const view: CustomerView = { ...filters, sort: value('sort') || 'newest' };
  const set = (changes: Partial<CustomerView>) => {
    const next = new URLSearchParams(window.location.search);
    for (const [name, changed] of Object.entries(changes)) {
      if (changed === '' || (name === 'sort' && changed === 'newest')) next.delete(name);
      else next.set(name, changed);
    }
    navigate(next.size === 0 ? '/customers' : `/customers?${next}`, { replace: true });
  };
  return {
    view,
    set,
    clear: () => set(Object.fromEntries(filterNames.map((name) => [name, '']))),
    count: filterNames.filter((name) => view[name] !== '').length,
  };
}

/** Returns the parameters of the request for the view. */
export function queryOf({ sort, ...filters }: CustomerView, q: string): CustomersQuery {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(given), ...(sort !== 'newest' && { sort }), ...(q && { q }) };
}
