import { Anchor, Paper, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, useSearchParams } from 'wouter';
import { api } from '../../api.ts';
import type { RevenueCustomerJson, RevenueFigure } from '../../contract.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { ScreenTitle } from '../../parts/screen-title.tsx';
import { useIsKnown, useMay } from '../../session.ts';
import { formatCalendarDate } from '../../times.ts';
import classes from './revenue.module.css';
import { amount, range, signed, words } from './words.ts';

/** Lists the customers behind a figure of the revenue. Their amounts sum to the figure exactly. */
export default function FigureScreen() {
  const isKnown = useIsKnown();
  const [search] = useSearchParams();
  const figure = search.get('figure') ?? '';
  const known = Object.hasOwn(words.figures, figure) ? words.figures[figure as RevenueFigure] : undefined;
  const back = search.get('back');
  return (
    <div className={classes.screen}>
      <Anchor component={Link} href={back ? `/revenue?${back}` : '/revenue'} size="sm">
        {words.title}
      </Anchor>
      <ScreenTitle>{known?.title ?? words.title}</ScreenTitle>
      {known || !isKnown ? (
        <FigureCustomers figure={known && (figure as RevenueFigure)} />
      ) : (
        <Text>{words.unknownFigure}</Text>
      )}
    </div>
  );
}

/** Lists the customers of a figure. Without one, shows a placeholder: the build, which renders the first view, has no query. */
function FigureCustomers({ figure }: { figure: RevenueFigure | undefined }) {
  const [search] = useSearchParams();
  const wanted = new URLSearchParams(
    [...search].filter(([name]) => ['figure', 'from', 'to', 'plan', 'asOf'].includes(name)),
  ).toString();
  const isCohort = figure === 'came' || figure === 'stayed';
  const isState = figure === 'paying' || figure === 'free' || isCohort;
  const list = useRef<HTMLUListElement>(null);
  const query = useInfiniteQuery({
    queryKey: ['revenue', 'customers', wanted],
    queryFn: ({ pageParam, signal }) => api.revenueCustomers(`${wanted}&after=${pageParam}`, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    enabled: figure !== undefined,
  });
  const lines = query.data?.pages.flatMap((page) => page.customers);
  const first = query.data?.pages[0];
  return (
    <>
      {first && figure && (
        <Text mb="xs">
          {first.planName !== null && words.ofPlan(first.planName)}
          {words.figures[figure].text} {isCohort && `${range(first.from, first.to)}. `}
          {isState ? words.standAt(range(first.asOf, first.asOf)) : range(first.from, first.to)}.
        </Text>
      )}
      {first && (
        <Text fw={600} mb="md">
          {isState ? words.customers(first.total.count) : words.changes(first.total.count)}
          {figure !== 'free' && words.together(amount(first.total.annualCents), amount(first.total.mrr))}
        </Text>
      )}
      {query.error && <ErrorNotice error={query.error} onRetry={query.refetch} />}
      {!lines && !query.error && (
        <>
          <Text mb="md" maw={640}>
            {words.behind}
          </Text>
          <Skeleton h={220} radius="md" opacity={0.4} />
        </>
      )}
      {lines?.length === 0 && <Text>{words.none}</Text>}
      {figure && lines && lines.length > 0 && (
        <Paper>
          <ul ref={list} className={classes.list} aria-label={words.figures[figure].title}>
            {lines.map((line) => (
              <Line key={`${line.customerId} ${line.at}`} line={line} isState={isState} />
            ))}
          </ul>
        </Paper>
      )}
      {lines && lines.length > 0 && (
        <Anchor href={`/admin/revenue/customers.csv?${wanted}`} download size="sm" display="block" mt="md">
          {words.csv}
        </Anchor>
      )}
      <MoreButton label={words.more} list={list} count={lines?.length ?? 0} query={query} />
    </>
  );
}

function Line({ line, isState }: { line: RevenueCustomerJson; isState: boolean }) {
  const date = formatCalendarDate(line.at);
  return (
    <li className={classes.line} tabIndex={-1}>
      <CustomerName line={line} />
      <Text size="sm">{line.plan ? words.priceOf(line.plan) : words.noPlan}</Text>
      <Text size="sm" c="dimmed">
        {isState ? words.since(date) : date}
      </Text>
      <Text className={classes.lineAmount}>
        {words.aYear(isState ? amount(line.annualCents) : signed(line.changeCents))}
      </Text>
    </li>
  );
}

/** The name of a customer, which links to the customer's screen if it still exists. */
function CustomerName({ line: { customerId, name, isDeleted } }: { line: RevenueCustomerJson }) {
  const maySee = useMay('view_customers');
  if (isDeleted || !maySee) {
    return (
      <Text component="span" fw={600} dir="auto">
        {name}
      </Text>
    );
  }
  return (
    <Anchor component={Link} href={`/customers/${customerId}`} fw={600} dir="auto" c="inherit">
      {name}
    </Anchor>
  );
}
