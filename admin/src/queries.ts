import { notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Without a connection it is said that there is none, and not waited in silence for one that may never come. */
const ALWAYS = 'always';

// Shows a change before the next key is handled. By default it may come later, and the key would act on the old state.
notifyManager.setScheduler(queueMicrotask);

/** The cache of the server's state, for all screens. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      networkMode: ALWAYS,
      refetchOnReconnect: true,
      // The server's refusal will not change. Only a request that did not reach it, or that it failed, is worth another try.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status !== 0 && error.status < 500),
    },
    mutations: { networkMode: ALWAYS },
  },
});
