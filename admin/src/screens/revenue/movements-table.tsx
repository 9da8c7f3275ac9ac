import { Table } from '@mantine/core';
import type { RevenueJson, RevenueMovement, RevenuePeriodJson } from '../../contract.ts';
import { FigureLink } from './figure-link.tsx';
import classes from './revenue.module.css';
import { TableHead } from './table-head.tsx';
import { amount, periodName, range, signed, words } from './words.ts';

const gains: readonly RevenueMovement[] = ['new', 'expansion', 'reactivation'];
const losses: readonly RevenueMovement[] = ['contraction', 'churn'];

/** Shows the numbers of the chart. Each links to the customers behind it. */
export function MovementsTable({ revenue }: { revenue: RevenueJson }) {
  const kinds = [...gains, ...losses].map((kind) => words.movements[kind]);
  return (
    <Table.ScrollContainer minWidth={720} className={classes.table} scrollAreaProps={{ type: 'auto' }} type="native">
      <Table aria-label={words.moved}>
        <TableHead columns={[words.period, ...kinds, words.change, words.end]} />
        <Table.Tbody>
          {revenue.periods.map((period) => (
            <Row key={period.from} name={periodName(period.from, revenue.step)} period={period} />
          ))}
        </Table.Tbody>
        {revenue.periods.length > 1 && (
          <Table.Tfoot>
            <Row name={words.total} period={revenue} />
          </Table.Tfoot>
        )}
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ name, period }: { name: string; period: RevenuePeriodJson }) {
  const cell = (kind: RevenueMovement, sign: string) => {
    const { count, mrr } = period.movements[kind];
    return (
      <Table.Td key={kind}>
        <FigureLink figure={kind} days={period} count={count}>
          {`${count === 0 ? '' : sign}${amount(mrr)}`}
        </FigureLink>
      </Table.Td>
    );
  };
  const change = period.end.annualCents - period.start.annualCents;
  return (
    <Table.Tr>
      <Table.Th scope="row" title={range(period.from, period.to)}>
        {name}
      </Table.Th>
      {gains.map((kind) => cell(kind, '+'))}
      {losses.map((kind) => cell(kind, '−'))}
      <Table.Td>{change === 0 ? amount(0) : signed(change / 12)}</Table.Td>
      <Table.Td>
        <FigureLink figure="paying" days={period} count={period.end.paying}>
          {amount(period.end.mrr)}
        </FigureLink>
      </Table.Td>
    </Table.Tr>
  );
}
