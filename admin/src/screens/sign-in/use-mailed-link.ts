import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api.ts';
import { ApiError } from '../../api-error.ts';

/** Reads the token of a mailed link, and asks the service about it. It is behind the #, which browsers send to nobody. */
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

/** Tells whether a link leads nowhere: it has no token, or the service does not know it any more. */
export function isLinkGone(token: string | undefined, ...errors: unknown[]): boolean {
  return token === '' || errors.some((error) => error instanceof ApiError && error.status === 404);
}
