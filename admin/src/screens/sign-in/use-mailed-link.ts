import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api.ts';
import { ApiError } from '../../api-error.ts';

/** Reads the token of a mailed link from the fragment, which browsers send to no server, and asks the service about it. */
export function useMailedLink() {
  const [token, setToken] = useState<string>();
  useEffect(() => setToken(new URLSearchParams(location.hash.slice(1)).get('token') ?? ''), []);
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => api.oneTimeLink(token!),
    enabled: Boolean(token),
    retry: false,
  });
  return { token, link };
}

/** Returns true if a link is invalid: it has no token, or the service no longer knows the token. */
export function isLinkGone(token: string | undefined, ...errors: unknown[]): boolean {
  return token === '' || errors.some((error) => error instanceof ApiError && error.status === 404);
}
