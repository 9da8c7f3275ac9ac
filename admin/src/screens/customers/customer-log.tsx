import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../api.ts';
import type { CustomerEventJson } from '../../contract.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Section } from '../../parts/section.tsx';
import { strings } from '../../strings.ts';
import { formatClock, formatTime } from '../../times.ts';
import classes from './customer.module.css';
import { words } from './customer-words.ts';

const { actions, nobody } = strings.settings.log;

/** Lists the agency's actions on a customer. */
export function CustomerLog({ customerId }: { customerId: number }) {
  const list = useRef<HTMLUListElement>(null);
  const log = useInfiniteQuery({
    queryKey: ['customer', customerId, 'log'],
    queryFn: ({ pageParam }) => api.customerLog(customerId, pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
  });
  const entries = log.data?.pages.flatMap((page) => page.entries);
  return (
    <Section title={words.log}>
      {log.error && <ErrorNotice error={log.error} onRetry={log.refetch} />}
      {entries?.length === 0 && <Text size="sm">{words.noLog}</Text>}
      <ul className={classes.list} ref={list}>
        {entries?.map((entry) => (
          <Event key={entry.id} {...entry} />
        ))}
      </ul>
      <MoreButton label={strings.settings.log.more} list={list} count={entries?.length ?? 0} query={log} />
    </Section>
  );
}

function Event({ actor, userId, action, details, at }: CustomerEventJson) {
  const about = [details.person, details.reason, untilOf(details), details.email, changeOf(details)].filter(
    (value) => typeof value === 'string' && value !== '',
  );
  return (
    <li className={classes.item}>
      <div className={classes.main}>
        <Text size="sm">
          <strong>{userId === null ? (nobody[actor] ?? actor) : actor}</strong> {actions[action] ?? action}
        </Text>
        {about.length > 0 && (
          <Text size="sm" c="dimmed">
            {about.join(' · ')}
          </Text>
        )}
      </div>
      <Text size="sm">{formatTime(at)}</Text>
    </li>
  );
}

function untilOf({ until }: Record<string, unknown>): string | undefined {
  return typeof until === 'number' ? strings.settings.log.until(formatClock(until)) : undefined;
}

function changeOf({ from, to }: Record<string, unknown>): string | undefined {
  return typeof from === 'string' && typeof to === 'string' ? strings.settings.log.became(from, to) : undefined;
}
