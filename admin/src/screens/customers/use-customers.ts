import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../api.ts';
import type { CustomerJson } from '../../contract.ts';
import { type CustomerView, queryOf } from './customer-view.ts';

/** Requests are repeated until this many customers are shown, or all. */
const PAGE_SIZE = 50;

/** Loads the customers of the view, or those that a search finds. A filter that few customers match takes several requests. */
export function useCustomers(view: CustomerView, wanted: string) {
  const request = queryOf(view, wanted);
  const query = useInfiniteQuery({
    queryKey: ['customers', request],
    queryFn: ({ pageParam, signal }) => api.customers({ ...request, ...(pageParam && { after: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData: isEarlier, isError, isFetching, hasNextPage, fetchNextPage } = query;
  const customers = data?.pages.flatMap((page) => page.customers);
  const last = data?.pages.at(-1);
  const isShort = customers !== undefined && (customers.length < PAGE_SIZE || last!.customers.length === 0);
  const isUnfinished = isShort && hasNextPage && !isEarlier && !isError;
  useEffect(() => {
    if (isUnfinished && !isFetching) void fetchNextPage();
  }, [isUnfinished, isFetching, fetchNextPage]);
  return { query, customers, last, isEarlier, isLooking: isEarlier || isUnfinished };
}

/** The batch size for loading all customers. */
const BATCH_SIZE = 500;

/** Loads all customers of the view, whether or not they are shown. */
export async function readAllCustomers(view: CustomerView, signal: AbortSignal): Promise<CustomerJson[]> {
  const customers: CustomerJson[] = [];
  const request = { ...queryOf(view, ''), limit: String(BATCH_SIZE) };
  for (let after: string | null = ''; after !== null; ) {
    const part = await api.customers({ ...request, ...(after && { after }) }, signal);
    customers.push(...part.customers);
    after = part.next;
  }
  return customers;
}
