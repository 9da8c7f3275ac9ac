import { Anchor, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { ForecastMonthJson } from '../../contract.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { ForecastChanges } from './forecast-changes.tsx';
import classes from './revenue.module.css';
import { TableHead } from './table-head.tsx';
import { amount, monthName, number, signed, words } from './words.ts';

/** Shows the forecast of the coming months, and the customers behind it. */
export function Forecast() {
  const query = useQuery({
    queryKey: ['revenue', 'forecast'],
    queryFn: ({ signal }) => api.forecast(signal),
    staleTime: 0,
  });
  const [chosen, choose] = useState<string>();
  const months = query.data?.months;
  return (
    <>
      <Title order={2} size="h4" mb="xs" mt="xl">
        {words.forecast}
      </Title>
      <QueryState query={query} h={120} />
      {months?.length === 0 && <Text>{words.forecastNone}</Text>}
      {months && months.length > 0 && (
        <>
          <Table.ScrollContainer minWidth={600} className={classes.table} type="native">
            <Table aria-label={words.forecast}>
              <TableHead columns={[words.period, words.moves, words.change, words.trials, words.change, words.end]} />
              <Table.Tbody>
                {months.map((month) => (
                  <Row
                    key={month.month}
                    month={month}
                    isChosen={month.month === chosen}
                    onChoose={() => choose((before) => (before === month.month ? undefined : month.month))}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          <Text size="sm" c="dimmed" maw="42em">
            {words.forecastText}
          </Text>
          <Anchor href="/admin/revenue/forecast.csv" download size="sm" display="block" my="xs">
            {words.forecastCsv}
          </Anchor>
          {chosen !== undefined && <ForecastChanges month={chosen} />}
        </>
      )}
    </>
  );
}

interface RowProps {
  readonly month: ForecastMonthJson;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Row({ month: { month, moves, trials, mrr }, isChosen, onChoose }: RowProps) {
  const change = ({ count, annualCents }: typeof moves) => (count === 0 ? '' : signed(annualCents / 12));
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Anchor component="button" type="button" inherit aria-expanded={isChosen} onClick={onChoose}>
          {monthName(`${month}-01`)}
        </Anchor>
      </Table.Th>
      <Table.Td>{number(moves.count)}</Table.Td>
      <Table.Td>{change(moves)}</Table.Td>
      <Table.Td>{number(trials.count)}</Table.Td>
      <Table.Td>{change(trials)}</Table.Td>
      <Table.Td>{amount(mrr)}</Table.Td>
    </Table.Tr>
  );
}
