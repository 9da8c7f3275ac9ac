import { Anchor } from '@mantine/core';
import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { BackLink } from '../../parts/back-link.tsx';
import { words } from './customer-words.ts';

/** The state in the browser's history of a customer's screen that was opened from the list. */
const fromList = { isFromList: true };

/** Links to the screen of a customer, from the list. */
export function CustomerLink({ id, name }: { id: number; name: string }) {
  return (
    <Anchor
      renderRoot={(props) => <Link {...props} href={`/customers/${id}`} state={fromList} />}
      fw={600}
      dir="auto"
      c="inherit"
    >
      {name}
    </Anchor>
  );
}

/** Leads to the list as it was: with its search, and as far down. */
export function BackToCustomers() {
  const state = useHistoryState<Partial<typeof fromList> | null>();
  const goBack = (event: MouseEvent) => {
    if (!state?.isFromList || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.back();
  };
  return (
    <BackLink href="/customers" onClick={goBack}>
      {words.back}
    </BackLink>
  );
}
