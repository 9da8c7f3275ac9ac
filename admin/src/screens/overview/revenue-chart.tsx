import { Text } from '@mantine/core';
import type { OverviewRevenueJson } from '../../contract.ts';
import classes from './overview.module.css';
import { amount, monthName, words } from './words.ts';

const HEIGHT = 100;

/** Draws the monthly revenue at the end of each month as a line. It is one image for screen readers. */
export function RevenueChart({ months }: Pick<OverviewRevenueJson, 'months'>) {
  const top = Math.max(...months.map(({ annualCents }) => annualCents));
  const [first, last] = [months[0], months.at(-1)];
  if (!first || !last || top === 0) return null;
  const points = months.map(({ annualCents }, index) => `${index + 0.5},${HEIGHT - (annualCents / top) * HEIGHT}`);
  const text = (month: typeof first) => words.inMonth(amount(month.annualCents / 1200), monthName(month.from));
  return (
    <figure className={classes.chart}>
      <Text size="xs" c="dimmed" className={classes.scale} aria-hidden>
        <span>{amount(top / 1200)}</span>
        <span>0</span>
      </Text>
      <svg
        role="img"
        aria-label={words.chart(text(first), text(last))}
        viewBox={`0 0 ${months.length} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <polygon points={`0.5,${HEIGHT} ${points.join(' ')} ${months.length - 0.5},${HEIGHT}`} />
        <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
        {months.map((month, index) => (
          <rect key={month.from} x={index} y={0} width={1} height={HEIGHT}>
            <title>{text(month)}</title>
          </rect>
        ))}
      </svg>
      <Text size="xs" c="dimmed" className={classes.ends} aria-hidden>
        <span>{monthName(first.from)}</span>
        <span>{monthName(last.from)}</span>
      </Text>
    </figure>
  );
}
