import { Anchor } from '@mantine/core';
import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { BackLink } from '../../parts/back-link.tsx';
import { words } from './customer-words.ts';

/** The history state of a customer's screen that was opened from the list. */
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

/** Links back to the list of customers. If the user came from there, goes back in the history, which restores its state. */
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
