import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

/** What the app knows of the server's state, for all screens. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the server has answered stays so; only what never reached it is worth another try.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status !== 0 && error.status < 500),
    },
    // Without a connection it is said at once that there is none, and not waited for one that may never come.
    mutations: { networkMode: 'always' },
  },
});
