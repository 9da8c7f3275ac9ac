import { Anchor, Paper, SegmentedControl, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, useSearchParams } from 'wouter';
import { api } from '../../api.ts';
import type { AuditActorKind, LogEntryJson } from '../../contract.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { strings } from '../../strings.ts';
import { formatClock, formatDay } from '../../times.ts';
import classes from './settings.module.css';

const words = strings.settings.log;

export function LogSection() {
  // The filter is stored in the address, so that going back from a page restores it.
  const [search, setSearch] = useSearchParams();
  const actors = search.get('by');
  const by = actors === 'people' || actors === 'programs' ? actors : 'all';
  const setBy = (value: AuditActorKind | 'all') => setSearch(value === 'all' ? {} : { by: value }, { replace: true });
  const list = useRef<HTMLDivElement>(null);
  const log = useInfiniteQuery({
    queryKey: ['log', by],
    queryFn: ({ pageParam }) => api.log(by === 'all' ? undefined : by, pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
    staleTime: 0,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries);
  return (
    <>
      <Text className={classes.text} mb="lg">
        {words.text}
      </Text>
      <SegmentedControl
        mb="lg"
        aria-label={words.by.label}
        value={by}
        onChange={setBy}
        data={[
          { value: 'all', label: words.by.all },
          { value: 'people', label: words.by.people },
          { value: 'programs', label: words.by.programs },
        ]}
      />
      <QueryState query={log} h={220} />
      {entries?.length === 0 && <Text>{words.empty[by]}</Text>}
      <div ref={list}>
        {[...Map.groupBy(entries ?? [], ({ at }) => formatDay(at))].map(([day, events]) => (
          <section key={day} className={classes.day} aria-label={day}>
            <Title order={2} size="h5" mb="xs">
              {day}
            </Title>
            <Paper>
              <ul className={classes.list}>
                {events.map((entry) => (
                  <AuditEvent key={entry.id} entry={entry} />
                ))}
              </ul>
            </Paper>
          </section>
        ))}
      </div>
      <MoreButton label={words.more} list={list} count={entries?.length ?? 0} query={log} />
    </>
  );
}

function AuditEvent({ entry }: { entry: LogEntryJson }) {
  const { at, ip, key } = entry;
  const notes = [
    ...detailsOf(entry),
    ...(entry.isInTrash ? [words.inTrash] : []),
    ...(key ? [words.keyEnd(key.last4)] : []),
    ...(ip ? [words.from(ip)] : []),
  ];
  return (
    <li className={classes.deed}>
      <time dateTime={new Date(at).toISOString()}>{formatClock(at)}</time>
      <div className={classes.said}>
        <Text size="sm">
          <strong>{actorOf(entry)}</strong> <What entry={entry} />
        </Text>
        <Text size="xs" c="dimmed">
          {notes.join(' · ')}
        </Text>
      </div>
    </li>
  );
}

/** Returns the name of the actor, or a general term if the actor is not a user of the account. */
function actorOf({ actor, userId, key }: LogEntryJson): string {
  if (key) return words.key(key.name, actor);
  return userId === null && Object.hasOwn(words.nobody, actor) ? words.nobody[actor]! : actor;
}

/** Describes the action: “Ann signed in”, not “Ann signed in: Ann”. Settings of the account need no subject, either. */
function What({ entry }: { entry: LogEntryJson }) {
  const { action, subject, userId, pageId, details } = entry;
  const did = details.change === 'delete' ? words.restoredPage : (words.actions[action] ?? action);
  if (subject.startsWith('account_')) return did;
  if (did.endsWith(':') && subject === `user_${userId}`) return did.slice(0, -1);
  const href = pageId !== null ? `/pages/${pageId}` : placeInTrash(entry);
  if (href === undefined) return `${did} ${subjectOf(entry)}`;
  return (
    <>
      {did}{' '}
      <Anchor component={Link} href={href}>
        {subjectOf(entry)}
      </Anchor>
    </>
  );
}

function placeInTrash({ isInTrash, subject }: LogEntryJson): string | undefined {
  if (!isInTrash) return undefined;
  return subject.startsWith('page_') ? `/trash?page=${subject.slice('page_'.length)}` : '/trash/images';
}

/** Returns the details of a change, with the fields named as in the forms. */
function detailsOf({ action, details }: LogEntryJson): string[] {
  const { fields, from, to, pages, person, reason, until } = details;
  const roles: Record<string, string> = strings.settings.people.roles;
  if (action === 'settings.changed') return [wordsFor(Object.keys(details))];
  if (typeof details.template === 'string') return [words.fromTemplate(details.template)];
  // Publishing a page unchanged changes no field.
  if (Array.isArray(fields)) return fields.length > 0 ? [wordsFor(fields)] : [];
  if (typeof from === 'string' && typeof to === 'string') return [words.became(roles[from] ?? from, roles[to] ?? to)];
  if (typeof reason === 'string') {
    return [
      ...(typeof person === 'string' ? [person] : []),
      `“${reason}”`,
      ...(typeof until === 'number' ? [words.until(formatClock(until))] : []),
    ];
  }
  // Only for pages: archives of the account count pages as well, but those are not below another page.
  return action.startsWith('page.') && typeof pages === 'number' && pages > 1 ? [words.pages(pages)] : [];
}

function wordsFor(fields: readonly string[]): string {
  return fields.map((field) => strings.fields[field] ?? field).join(', ');
}

/** Returns the name of the subject if the log has one, and otherwise its type and id. */
function subjectOf({ subject, details }: LogEntryJson): string {
  const name = details.name ?? details.host ?? details.email ?? details.path;
  return typeof name === 'string' ? `“${name}”` : subject.replace('_', ' ');
}
