import { Text } from '@mantine/core';
import type { PlanUsageJson } from '../contract.ts';
import { Section } from './section.tsx';
import classes from './usage.module.css';
import { type Limit, limits, usageInWords } from './usage-words.ts';

const words = {
  title: 'Usage',
  noLimit: 'No limit',
  over: 'More than the plan allows. Nothing is deleted, but nothing can be added.',
};

interface UsageProps {
  readonly usage: PlanUsageJson;
  readonly text?: string;
  /** True to omit what the plan does not limit. */
  readonly onlyLimited?: boolean;
}

/** Shows an account's usage of each limit of its plan, with a bar. Renders nothing if there is no limit to show. */
export function Usage({ usage, text, onlyLimited = false }: UsageProps) {
  const shown = limits.filter((name) => !onlyLimited || usage[name].limit !== null);
  if (shown.length === 0) return null;
  return (
    <Section title={words.title} {...(text !== undefined && { text })}>
      <ul className={classes.list}>
        {shown.map((name) => (
          <Item key={name} name={name} {...usage[name]} />
        ))}
      </ul>
    </Section>
  );
}

function Item({ name, used, limit }: { name: Limit; used: number; limit: number | null }) {
  const share = limit === null ? 0 : Math.min(1, used / Math.max(1, limit));
  return (
    <li>
      <div className={classes.facts}>
        <Text size="sm">{usageInWords(name, used, limit)}</Text>
        {limit === null && (
          <Text size="sm" c="dimmed">
            {words.noLimit}
          </Text>
        )}
      </div>
      {limit !== null && (
        <div className={classes.bar} aria-hidden data-full={used >= limit || undefined}>
          <div style={{ width: `${share * 100}%` }} />
        </div>
      )}
      {limit !== null && used > limit && <Text size="sm">{words.over}</Text>}
    </li>
  );
}
