import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RevenueJson } from '../../contract.ts';
import { FigureLink } from './figure-link.tsx';
import classes from './revenue.module.css';
import { amount, number, percent, range, words } from './words.ts';

/** Shows the revenue at the end of the range, and how much of that at the beginning was kept. */
export function Figures({ revenue }: { revenue: RevenueJson }) {
  const { from, to, end, movements, rates } = revenue;
  const paying = (text: string) => (
    <FigureLink figure="paying" days={revenue} count={end.paying}>
      {text}
    </FigureLink>
  );
  return (
    <Paper className={classes.figures}>
      <section>
        <Title order={2} size="h5">
          {words.standAt(range(to, to))}
        </Title>
        <dl>
          <Figure name={words.mrr} isMain>
            {paying(amount(end.mrr))}
          </Figure>
          <Figure name={words.arr}>{paying(amount(end.annualCents))}</Figure>
          <Figure name={words.average}>{end.mrrPerPaying === null ? '–' : paying(amount(end.mrrPerPaying))}</Figure>
          <Figure name={words.active}>{number(end.paying + end.free)}</Figure>
          <Figure name={words.paying}>{paying(number(end.paying))}</Figure>
          <Figure name={words.free}>
            <FigureLink figure="free" days={revenue} count={end.free}>
              {number(end.free)}
            </FigureLink>
          </Figure>
        </dl>
      </section>
      <section>
        <Title order={2} size="h5">
          {words.ratesOf(range(from, to))}
        </Title>
        <dl>
          <Figure name={words.rates.customerChurn}>
            <FigureLink figure="churn" days={revenue} count={movements.churn.count}>
              {percent(rates.customerChurn)}
            </FigureLink>
          </Figure>
          <Figure name={words.rates.revenueChurn}>
            <FigureLink figure="churn" days={revenue} count={movements.churn.count}>
              {percent(rates.revenueChurn)}
            </FigureLink>
          </Figure>
          <Figure name={words.rates.grossRetention}>{percent(rates.grossRetention)}</Figure>
          <Figure name={words.rates.netRetention}>{percent(rates.netRetention)}</Figure>
        </dl>
      </section>
    </Paper>
  );
}

function Figure({ name, isMain = false, children }: { name: string; isMain?: boolean; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <dd className={isMain ? classes.mainFigure : classes.figure}>{children}</dd>
    </div>
  );
}
