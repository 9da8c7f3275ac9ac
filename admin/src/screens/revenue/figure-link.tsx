import { Anchor } from '@mantine/core';
import { Link, useSearch, useSearchParams } from 'wouter';
import type { RevenueFigure } from '../../contract.ts';

interface FigureLinkProps {
  readonly figure: RevenueFigure;
  readonly days: { readonly from: string; readonly to: string };
  /** The plan of the figure. The default is the plan that the screen shows, if any. */
  readonly plan?: number;
  /** For new customers: the day whose plans they are listed with. */
  readonly asOf?: string;
  /** The number of customers behind the figure. Without any, there is no link. */
  readonly count: number;
  readonly children: string;
}

/** A figure that links to the customers behind it. */
export function FigureLink({ figure, days: { from, to }, plan, asOf, count, children }: FigureLinkProps) {
  const search = useSearch();
  const [values] = useSearchParams();
  if (count === 0) return children;
  const ofPlan = plan?.toString() ?? values.get('plan');
  const query = new URLSearchParams({ figure, from, to });
  if (asOf) query.set('asOf', asOf);
  else if (ofPlan) query.set('plan', ofPlan);
  if (search) query.set('back', search);
  return (
    <Anchor component={Link} href={`/revenue/customers?${query}`} inherit>
      {children}
    </Anchor>
  );
}
