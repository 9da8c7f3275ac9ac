import { Anchor, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartNoAxesCombined } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { api } from '../../api.ts';
import type { RevenueJson } from '../../contract.ts';
import { Empty } from '../../parts/empty.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { ScreenTitle } from '../../parts/screen-title.tsx';
import { Cohorts } from './cohorts.tsx';
import { Figures } from './figures.tsx';
import { Forecast } from './forecast.tsx';
import { MovementsChart } from './movements-chart.tsx';
import { MovementsTable } from './movements-table.tsx';
import { PlansTable } from './plans-table.tsx';
import { RangePicker } from './range-picker.tsx';
import { RatesTable } from './rates-table.tsx';
import classes from './revenue.module.css';
import { words } from './words.ts';

/** Shows the revenue from the account's customers at the end of a range, and its movements during the range. */
export default function RevenueScreen() {
  return (
    <div className={classes.screen}>
      <ScreenTitle mb="xs">{words.title}</ScreenTitle>
      <Text mb="md" maw={640}>
        {words.text}
      </Text>
      <Revenue />
    </div>
  );
}

function Revenue() {
  const [search] = useSearchParams();
  const only = (names: string[]) =>
    new URLSearchParams([...search].filter(([name]) => names.includes(name))).toString();
  const wanted = only(['from', 'to', 'step', 'plan']);
  const query = useQuery({
    queryKey: ['revenue', wanted],
    queryFn: ({ signal }) => api.revenue(wanted, signal),
    placeholderData: keepPreviousData,
    // The figures may change in another tab.
    staleTime: 0,
  });
  const revenue = query.data;
  if (revenue && wanted === '' && isEmpty(revenue)) {
    return (
      <>
        <Empty icon={ChartNoAxesCombined} title={words.empty} text={words.emptyText(revenue.end.free)}>
          <Anchor component={Link} href="/customers">
            {words.toCustomers}
          </Anchor>
        </Empty>
        {/* The forecast has the first revenue, from trials that end. */}
        {revenue.end.free > 0 && <Forecast />}
      </>
    );
  }
  return (
    <>
      {revenue && <RangePicker {...revenue} />}
      <QueryState query={query} h={420} />
      {revenue && !query.error && (
        <div className={query.isPlaceholderData ? classes.earlier : undefined}>
          <Figures revenue={revenue} />
          <Title order={2} size="h4" mb="xs">
            {words.moved}
          </Title>
          <MovementsChart revenue={revenue} />
          <MovementsTable revenue={revenue} />
          <Text size="sm" c="dimmed" mb="xs" maw="42em">
            {search.has('plan') && `${words.ofPlanText} `}
            {words.roundedText}
          </Text>
          <Anchor href={`/admin/revenue.csv?${wanted}`} download size="sm" display="block" mb="xl">
            {words.csvOfMovements}
          </Anchor>
          <Title order={2} size="h4" mb="xs">
            {words.byPlan}
          </Title>
          <PlansTable revenue={revenue} />
          <Text size="sm" c="dimmed" mb="xl" maw="42em">
            {words.byPlanText}
          </Text>
          <Title order={2} size="h4" mb="xs">
            {words.stayed}
          </Title>
          <RatesTable revenue={revenue} />
          <Text size="sm" c="dimmed" maw="42em">
            {words.ratesText} {words.timeZone(revenue.timeZone)}
          </Text>
          {!search.has('plan') && <Cohorts wanted={only(['from', 'to', 'step'])} />}
          {!search.has('plan') && <Forecast />}
        </div>
      )}
    </>
  );
}

/** Returns true if no customer has paid in the range, so that the tables would have only zeros. */
function isEmpty({ start, end, movements }: RevenueJson): boolean {
  return [start.paying, end.paying, ...Object.values(movements).map(({ count }) => count)].every(
    (count) => count === 0,
  );
}
