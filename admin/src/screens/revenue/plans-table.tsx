import { Anchor, Table } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import type { PlanRevenueJson, RevenueJson } from '../../contract.ts';
import { FigureLink } from './figure-link.tsx';
import classes from './revenue.module.css';
import { TableHead } from './table-head.tsx';
import { amount, number, percent, signed, words } from './words.ts';

/** Shows the revenue of each plan. The sum is the revenue of the account. A plan's name links to the revenue of that plan. */
export function PlansTable({ revenue }: { revenue: RevenueJson }) {
  const total = revenue.plans.reduce((sum, { end }) => sum + end.annualCents, 0);
  return (
    <Table.ScrollContainer minWidth={600} className={classes.table} type="native">
      <Table aria-label={words.byPlan}>
        <TableHead columns={[words.plan, words.paying, words.free, words.change, words.end, words.share]} />
        <Table.Tbody>
          {revenue.plans.map((plan) => (
            <Row key={plan.planId} plan={plan} total={total} days={revenue} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface RowProps {
  readonly plan: PlanRevenueJson;
  readonly total: number;
  readonly days: { readonly from: string; readonly to: string };
}

function Row({ plan: { planId, name, start, end }, total, days }: RowProps) {
  const [search] = useSearchParams();
  const change = end.annualCents - start.annualCents;
  const link = (figure: 'paying' | 'free', text: string) => (
    <FigureLink figure={figure} days={days} plan={planId} count={end[figure]}>
      {text}
    </FigureLink>
  );
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Anchor
          component={Link}
          href={`/revenue?${new URLSearchParams({ ...Object.fromEntries(search), plan: String(planId) })}`}
          inherit
          dir="auto"
        >
          {name}
        </Anchor>
      </Table.Th>
      <Table.Td>{link('paying', number(end.paying))}</Table.Td>
      <Table.Td>{link('free', number(end.free))}</Table.Td>
      <Table.Td>{change === 0 ? amount(0) : signed(change / 12)}</Table.Td>
      <Table.Td>{link('paying', amount(end.mrr))}</Table.Td>
      <Table.Td>{percent(total === 0 ? null : end.annualCents / total)}</Table.Td>
    </Table.Tr>
  );
}
