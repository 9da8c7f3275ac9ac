import { Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { api } from '../../api.ts';
import type { CohortJson, CohortsJson } from '../../contract.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { FigureLink } from './figure-link.tsx';
import classes from './revenue.module.css';
import { TableHead } from './table-head.tsx';
import { amount, number, percent, periodName, range, words } from './words.ts';

/** Shows how many of each period's new customers still pay at the end of the range, and how much. */
export function Cohorts({ wanted }: { wanted: string }) {
  const query = useQuery({
    queryKey: ['revenue', 'cohorts', wanted],
    queryFn: ({ signal }) => api.revenueCohorts(wanted, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return (
    <>
      <Title order={2} size="h4" mb="xs" mt="xl">
        {words.cohorts}
      </Title>
      <QueryState query={query} h={220} />
      {query.data && !query.error && (
        <>
          <CohortsTable cohorts={query.data} />
          <Text size="sm" c="dimmed" maw="42em">
            {words.cohortsText(range(query.data.to, query.data.to))}
          </Text>
        </>
      )}
    </>
  );
}

function CohortsTable({ cohorts: { cohorts, step, to } }: { cohorts: CohortsJson }) {
  return (
    <Table className={`${classes.table} ${classes.cohorts}`} aria-label={words.cohorts}>
      <TableHead columns={[words.cameIn, words.came, words.stillThere, words.payNow]} />
      <Table.Tbody>
        {cohorts.map((cohort) => (
          <Row key={cohort.from} name={periodName(cohort.from, step)} cohort={cohort} asOf={to} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ name, cohort, asOf }: { name: string; cohort: CohortJson; asOf: string }) {
  const { came, stayed, mrr } = cohort;
  const share = came === 0 ? null : stayed / came;
  const link = (figure: 'came' | 'stayed', count: number, text: string) => (
    <FigureLink figure={figure} days={cohort} asOf={asOf} count={count}>
      {text}
    </FigureLink>
  );
  return (
    <Table.Tr>
      <Table.Th scope="row" title={range(cohort.from, cohort.to)}>
        {name}
      </Table.Th>
      <Table.Td>{link('came', came, number(came))}</Table.Td>
      <Table.Td className={classes.shaded} style={{ '--share': `${(share ?? 0) * 100}%` } as CSSProperties}>
        {link('stayed', stayed, number(stayed))} <span className={classes.share}>{percent(share)}</span>
      </Table.Td>
      <Table.Td>{link('stayed', stayed, amount(mrr))}</Table.Td>
    </Table.Tr>
  );
}
