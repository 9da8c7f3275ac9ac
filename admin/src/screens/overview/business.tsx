import { Anchor, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import type { OverviewJson, OverviewRevenueJson } from '../../contract.ts';
import classes from './overview.module.css';
import { RevenueChart } from './revenue-chart.tsx';
import { amount, number, signed, words } from './words.ts';

/** Shows the figures of the business, their change in the last 30 days, and the revenue of a year. */
export function Business({ overview }: { overview: OverviewJson }) {
  const { customers, revenue, days } = overview;
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <Title order={2} size="h4" id={id} mb="sm">
        {words.businessTitle}
      </Title>
      <Paper p={{ base: 'md', xs: 'lg' }}>
        <dl className={classes.figures}>
          {revenue && (
            <Figure name={words.mrr} note={words.inDays(signed(revenue.changeCents / 1200, amount))}>
              {amount(Number(revenue.mrr))}
            </Figure>
          )}
          <Figure name={words.active} note={words.inDays(signed(customers.change, number))}>
            <Anchor component={Link} href="/customers?state=active" inherit>
              {number(customers.active)}
            </Anchor>
          </Figure>
          {revenue && <GainedAndLost movements={revenue.movements} days={days} />}
          <Figure name={words.sites} note={words.sitesText}>
            {number(customers.active + 1)}
          </Figure>
        </dl>
        {revenue && <RevenueChart months={revenue.months} />}
        {revenue && (
          <Anchor component={Link} href="/revenue" size="sm">
            {words.toRevenue}
          </Anchor>
        )}
      </Paper>
    </section>
  );
}

type GainedAndLostProps = Pick<OverviewRevenueJson, 'movements'> & Pick<OverviewJson, 'days'>;

/** Shows how many customers began to pay, pay again or stopped. Each number links to these customers. */
function GainedAndLost({ movements, days }: GainedAndLostProps) {
  const place = (figure: string) => `/revenue/customers?${new URLSearchParams({ figure, ...days })}`;
  const back = movements.reactivation.count;
  return (
    <>
      <Figure
        name={words.gained}
        note={back === 0 ? words.lastDays : <Anchored place={place('reactivation')}>{words.ofThemBack(back)}</Anchored>}
      >
        <Anchored place={movements.new.count > 0 && place('new')}>{number(movements.new.count + back)}</Anchored>
      </Figure>
      <Figure name={words.lost} note={words.lastDays}>
        <Anchored place={movements.churn.count > 0 && place('churn')}>{number(movements.churn.count)}</Anchored>
      </Figure>
    </>
  );
}

function Anchored({ place, children }: { place: string | false; children: string }) {
  if (!place) return children;
  return (
    <Anchor component={Link} href={place} inherit>
      {children}
    </Anchor>
  );
}

function Figure({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <dd className={classes.figure}>{children}</dd>
      <Text component="dd" size="sm" m={0}>
        {note}
      </Text>
    </div>
  );
}
