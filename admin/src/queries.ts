import { notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Reports a missing connection at once. By default, queries would wait silently until the browser is online. */
const ALWAYS = 'always';

// Renders a change before the next keystroke is handled, which would otherwise act on the old state.
notifyManager.setScheduler(queueMicrotask);

/** The cache of the service's data, for all screens. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      networkMode: ALWAYS,
      refetchOnReconnect: true,
      // A refusal will not change. Retries only requests that did not reach the service, or failed in it.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status !== 0 && error.status < 500),
    },
    mutations: { networkMode: ALWAYS },
  },
});
