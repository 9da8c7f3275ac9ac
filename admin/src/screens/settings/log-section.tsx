import { Button, Paper, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { LogEntryJson } from '../../contract.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { strings } from '../../strings.ts';
import { formatClock, formatDay } from '../../times.ts';
import classes from './settings.module.css';

const words = strings.settings.log;

export function LogSection() {
  const log = useInfiniteQuery({
    queryKey: ['log'],
    queryFn: ({ pageParam }) => api.log(pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
    staleTime: 0,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries);
  if (log.error) return <ErrorNotice error={log.error} onRetry={log.refetch} />;
  return (
    <>
      {entries?.length === 0 && <Text>{words.empty}</Text>}
      {[...Map.groupBy(entries ?? [], ({ at }) => formatDay(at))].map(([day, deeds]) => (
        <section key={day} className={classes.day} aria-label={day}>
          <Title order={2} size="h5" mb="xs">
            {day}
          </Title>
          <Paper>
            <ul className={classes.list}>
              {deeds.map((entry) => (
                <Deed key={entry.id} entry={entry} />
              ))}
            </ul>
          </Paper>
        </section>
      ))}
      {log.hasNextPage && (
        <Button mt="md" variant="default" loading={log.isFetchingNextPage} onClick={() => log.fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </>
  );
}

function Deed({ entry }: { entry: LogEntryJson }) {
  const { at, ip } = entry;
  const notes = [...detailsOf(entry), ...(ip ? [words.from(ip)] : [])];
  return (
    <li className={classes.deed}>
      <time dateTime={new Date(at).toISOString()}>{formatClock(at)}</time>
      <div className={classes.said}>
        <Text size="sm">
          <strong>{actorOf(entry)}</strong> {deedOf(entry)}
        </Text>
        <Text size="xs" c="dimmed">
          {notes.join(' · ')}
        </Text>
      </div>
    </li>
  );
}

/** Who is no user of the account has a word instead of a name. */
function actorOf({ actor, userId }: LogEntryJson): string {
  return (userId === null ? words.nobody[actor] : undefined) ?? actor;
}

/** “Ann signed in”, and not “Ann signed in: Ann”; and whose settings it were goes without saying. */
function deedOf(entry: LogEntryJson): string {
  const did = words.actions[entry.action] ?? entry.action;
  if (entry.subject.startsWith('account_')) return did;
  const isTheirOwn = did.endsWith(':') && entry.subject === `user_${entry.userId}`;
  return isTheirOwn ? did.slice(0, -1) : `${did} ${subjectOf(entry)}`;
}

/** What of it was changed, in the words of the forms. */
function detailsOf({ action, details }: LogEntryJson): string[] {
  const { fields, from, to, pages } = details;
  const roles: Record<string, string> = strings.settings.people.roles;
  if (action === 'settings.changed') return [wordsFor(Object.keys(details))];
  if (Array.isArray(fields)) return [wordsFor(fields)];
  if (action === 'user.changed' && from) return [words.became(roles[String(from)] ?? '', roles[String(to)] ?? '')];
  return typeof pages === 'number' && pages > 1 ? [words.pages(pages)] : [];
}

function wordsFor(fields: readonly string[]): string {
  return fields.map((field) => strings.fields[field] ?? field).join(', ');
}

/** By its name where the log has one. */
function subjectOf({ subject, details }: LogEntryJson): string {
  const name = details.name ?? details.host ?? details.email;
  return typeof name === 'string' ? `“${name}”` : subject.replace('_', ' ');
}
