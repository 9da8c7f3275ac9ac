import { notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

/** Without a connection it is said that there is none, and not waited in silence for one that may never come. */
const ALWAYS = 'always';

// What has changed is shown before the next key: by default it may come after that, which was then for what was there before.
notifyManager.setScheduler(queueMicrotask);

/** The cache of the server's state, for all screens. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      networkMode: ALWAYS,
      refetchOnReconnect: true,
      // What the server has answered stays so; only what never reached it is worth another try.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status !== 0 && error.status < 500),
    },
    mutations: { networkMode: ALWAYS },
  },
});
