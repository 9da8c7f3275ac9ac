import { Group, Paper, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Circle, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../api.ts';
import { readItem, storeItem } from '../../browser-storage.ts';
import type { ToDoJson } from '../../contract.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { useIsKnown, useMay, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import classes from './pages-screen.module.css';

const words = strings.pages.toDo;

/**
 * Lists the tasks left on a new website, each with a link. It stands below the tree, so that nothing moves when it appears.
 * Hiding it is remembered in this browser.
 */
export function ToDoList() {
  const { account } = useSession();
  const mayDo = useMay('update_settings');
  const isKnown = useIsKnown();
  const key = `app:to-do:${account.id}`;
  const [done, setDone] = useState<Done>();
  const { data } = useQuery({ queryKey: ['to-do'], queryFn: api.toDo, enabled: mayDo && isKnown, staleTime: 0 });
  const { isHidden, hasSeenName } = done ?? ((readItem(key) ?? {}) as Done);
  const left = data?.left.filter((item) => item !== 'name' || !hasSeenName) ?? [];
  if (isHidden || left.length === 0) return null;
  const storeProgress = (change: Done) => {
    const now = { isHidden, hasSeenName, ...change };
    storeItem(key, now);
    setDone(now);
  };
  return (
    <Paper component="section" p="lg" mt="lg" aria-label={words.title}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h4">
          {words.title}
        </Title>
        <IconButton label={words.hide} onClick={() => storeProgress({ isHidden: true })}>
          <X size={18} aria-hidden />
        </IconButton>
      </Group>
      <ul className={classes.toDo}>
        {left.map((item) => (
          <li key={item}>
            <Link href={placeOf(item, data!)} onClick={() => item === 'name' && storeProgress({ hasSeenName: true })}>
              <Circle size={16} aria-hidden />
              {words.items[item]}
            </Link>
          </li>
        ))}
      </ul>
    </Paper>
  );
}

interface Done {
  readonly isHidden?: boolean | undefined;
  /** Checking the name counts as done once the user has opened it. */
  readonly hasSeenName?: boolean | undefined;
}

function placeOf(item: ToDoJson['left'][number], { firstPageId }: ToDoJson): string {
  const places = { name: '/settings/site', look: '/settings/look', address: '/settings/domains' };
  return item === 'text' ? `/pages/${firstPageId}` : places[item];
}
