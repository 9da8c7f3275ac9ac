import { useLocation, useSearchParams } from 'wouter';
import type { CustomersQuery } from '../../contract.ts';

/** The filters in the order in which they are shown, as they are named in the address of the screen. */
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

/** Empty values leave nothing out. */
export type CustomerView = Record<FilterName, string> & { sort: string };

/** Returns which customers are shown, and in which order: all of it stands in the address of the screen. */
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
