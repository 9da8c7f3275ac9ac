import { Anchor } from '@mantine/core';
import { Link, useSearch } from 'wouter';
import type { RevenueFigure } from '../../contract.ts';

interface FigureLinkProps {
  readonly figure: RevenueFigure;
  readonly days: { readonly from: string; readonly to: string };
  /** How many customers are behind it: with none, it leads nowhere. */
  readonly count: number;
  readonly children: string;
}

/** A figure that leads to the customers behind it. */
export function FigureLink({ figure, days: { from, to }, count, children }: FigureLinkProps) {
  const search = useSearch();
  if (count === 0) return children;
  const query = new URLSearchParams({ figure, from, to, ...(search && { back: search }) });
  return (
    <Anchor component={Link} href={`/revenue/customers?${query}`} inherit>
      {children}
    </Anchor>
  );
}
