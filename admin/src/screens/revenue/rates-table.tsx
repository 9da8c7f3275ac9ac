import { Table } from '@mantine/core';
import type { RevenueJson, RevenuePeriodJson } from '../../contract.ts';
import { FigureLink } from './figure-link.tsx';
import classes from './revenue.module.css';
import { TableHead } from './table-head.tsx';
import { number, percent, periodName, words } from './words.ts';

const rates = ['customerChurn', 'revenueChurn', 'grossRetention', 'netRetention'] as const;

/** Shows how much of the revenue and customers at the beginning of each period remained at its end. */
export function RatesTable({ revenue: { periods, step } }: { revenue: RevenueJson }) {
  return (
    <Table.ScrollContainer minWidth={640} className={classes.table} type="native">
      <Table aria-label={words.stayed}>
        <TableHead columns={[words.period, words.paying, words.free, ...rates.map((rate) => words.rates[rate])]} />
        <Table.Tbody>
          {periods.map((period) => (
            <Row key={period.from} name={periodName(period.from, step)} period={period} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ name, period }: { name: string; period: RevenuePeriodJson }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      {(['paying', 'free'] as const).map((figure) => (
        <Table.Td key={figure}>
          <FigureLink figure={figure} days={period} count={period.end[figure]}>
            {number(period.end[figure])}
          </FigureLink>
        </Table.Td>
      ))}
      {rates.map((rate) => (
        <Table.Td key={rate}>{percent(period.rates[rate])}</Table.Td>
      ))}
    </Table.Tr>
  );
}
