import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';

/** What pages are searched for: in the address, so that whoever goes back from one finds the others again. */
export function usePageSearch() {
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const wanted = params.get('q') ?? '';
  const [search, setSearch] = useState(wanted);
  const field = useRef<HTMLInputElement>(null);
  // The field is there before the app is: what was written until now counts.
  useEffect(() => setSearch(field.current?.value ?? ''), []);
  const [settled] = useDebouncedValue(search.trim(), 150);
  useEffect(() => {
    if (settled === wanted) return;
    navigate(settled === '' ? '/pages' : `/pages?q=${encodeURIComponent(settled)}`, { replace: true });
  }, [settled]);
  // Another address: by a link to the whole tree, or as it is known only now.
  useEffect(() => {
    if (settled !== wanted) setSearch(wanted);
  }, [wanted]);
  return { field, search, setSearch, wanted };
}
