import { Anchor, Paper, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'wouter';
import { api } from '../../api.ts';
import type { ForecastChangeJson } from '../../contract.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { useMay } from '../../session.ts';
import { formatPlainDate } from '../../times.ts';
import classes from './revenue.module.css';
import { monthName, signed, words } from './words.ts';

/** Lists the customers behind the forecast of a month. Their amounts sum to the forecast exactly. */
export function ForecastChanges({ month }: { month: string }) {
  const list = useRef<HTMLUListElement>(null);
  const query = useInfiniteQuery({
    queryKey: ['revenue', 'forecast', month],
    queryFn: ({ pageParam, signal }) => api.forecastChanges(month, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  });
  const changes = query.data?.pages.flatMap((page) => page.changes);
  return (
    <section aria-label={words.forecastOf(monthName(`${month}-01`))}>
      <QueryState query={query} h={120} />
      {changes && (
        <Paper>
          <ul ref={list} className={classes.list}>
            {changes.map((change) => (
              <Change key={`${change.day} ${change.customerId} ${change.kind}`} change={change} />
            ))}
          </ul>
        </Paper>
      )}
      <MoreButton label={words.more} list={list} count={changes?.length ?? 0} query={query} />
    </section>
  );
}

function Change({ change }: { change: ForecastChangeJson }) {
  const maySee = useMay('view_customers');
  const { customerId, name, day, changeCents } = change;
  return (
    <li className={classes.line} tabIndex={-1}>
      {maySee ? (
        <Anchor component={Link} href={`/customers/${customerId}`} fw={600} dir="auto" c="inherit">
          {name}
        </Anchor>
      ) : (
        <Text component="span" fw={600} dir="auto">
          {name}
        </Text>
      )}
      <Text size="sm">{words.forecastChange(change)}</Text>
      <Text size="sm" c="dimmed">
        {formatPlainDate(day)}
      </Text>
      <Text className={classes.lineAmount}>{words.aYear(signed(changeCents))}</Text>
    </li>
  );
}
