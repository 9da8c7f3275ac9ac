import { Text } from '@mantine/core';
import type { RevenueJson, RevenuePeriodJson } from '../../contract.ts';
import { barParts, gains, heightOf, losses } from './chart-bars.ts';
import classes from './revenue.module.css';
import { amount, periodName, words } from './words.ts';

/** The width of a period, and that of its bar without the gap beside it. */
const [WIDTH, BAR] = [10, 7];

/**
 * Draws each period's movements as one bar: what was gained above the axis, what was lost below. The table after it has
 * the numbers, so the picture is one image for screen readers.
 */
export function MovementsChart({ revenue: { periods, step } }: { revenue: RevenueJson }) {
  const top = Math.max(...periods.map((period) => heightOf(period.movements, gains)));
  const bottom = Math.max(...periods.map((period) => heightOf(period.movements, losses)));
  if (top + bottom === 0) return null;
  return (
    <figure className={classes.chart}>
      <ul className={classes.legend} aria-hidden>
        {[...gains, ...losses].map((kind) => (
          <li key={kind} data-kind={kind}>
            {words.movements[kind]}
          </li>
        ))}
      </ul>
      <div className={classes.plot}>
        <Text size="xs" c="dimmed" className={classes.scale} aria-hidden>
          <span>+{amount(top / 12)}</span>
          <span>−{amount(bottom / 12)}</span>
        </Text>
        <svg
          role="img"
          aria-label={words.chart}
          viewBox={`0 ${-top} ${periods.length * WIDTH} ${top + bottom}`}
          preserveAspectRatio="none"
        >
          {periods.map((period, index) => (
            <g key={period.from}>
              <title>{titleOf(period, periodName(period.from, step))}</title>
              {barParts(period.movements).map((part) => (
                <rect
                  key={part.kind}
                  data-kind={part.kind}
                  x={index * WIDTH + (WIDTH - BAR) / 2}
                  y={part.y}
                  width={BAR}
                  height={part.height}
                />
              ))}
            </g>
          ))}
          <line x1="0" x2={periods.length * WIDTH} y1="0" y2="0" vectorEffect="non-scaling-stroke" />
        </svg>
        <Text size="xs" c="dimmed" className={classes.ends} aria-hidden>
          <span>{periodName(periods[0]!.from, step)}</span>
          <span>{periods.length > 1 && periodName(periods.at(-1)!.from, step)}</span>
        </Text>
      </div>
    </figure>
  );
}

function titleOf({ movements }: RevenuePeriodJson, name: string): string {
  const parts = [...gains, ...losses]
    .filter((kind) => movements[kind].count > 0)
    .map((kind) => `${words.movements[kind]} ${amount(movements[kind].mrr)}`);
  return [name, ...parts].join('\n');
}
