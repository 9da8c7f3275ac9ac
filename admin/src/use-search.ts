import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';

/** How long to wait for a pause in typing before searching. */
const DEBOUNCE_MS = 150;

/**
 * Holds the search text in the address of the screen at `path`, so that going back restores the results. Keeps other
 * parameters of the address.
 */
export function useSearch(path: string) {
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const wanted = params.get('q') ?? '';
  const [search, setSearch] = useState(wanted);
  const field = useRef<HTMLInputElement>(null);
  // The prerendered field works before the app does, so it may contain text already.
  useEffect(() => setSearch(field.current?.value ?? ''), []);
  useEffect(() => {
    const text = search.trim();
    if (text === wanted) return;
    const timer = setTimeout(() => navigate(addressOf(path, text), { replace: true }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [search]);
  // The address has changed: by a link to the whole tree, or because hydration revealed it only now.
  useEffect(() => {
    if (search.trim() !== wanted) setSearch(wanted);
  }, [wanted]);
  return { field, search, setSearch, wanted };
}

function addressOf(path: string, text: string): string {
  const params = new URLSearchParams(window.location.search);
  if (text === '') params.delete('q');
  else params.set('q', text);
  return params.size === 0 ? path : `${path}?${params}`;
}
