import { Alert, Group, Text } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import { readItem, removeItem, storeItem } from '../../browser-storage.ts';
import { SmallButton } from '../../parts/small-button.tsx';
import { showUndo } from '../../parts/undo.tsx';
import { useIsKnown, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';

const words = strings.settings.unsaved;

type Fields<T> = { readonly [name in keyof T]: string };

/**
 * What is typed into a form, over what is saved. What differs is kept in this browser, for this person alone, and is there
 * again when the tab was closed or another screen opened. Never for anything secret.
 */
export function useUnsaved<T extends Fields<T>>(form: string, saved: T) {
  const { user } = useSession();
  const isKnown = useIsKnown();
  const key = `freehold:form:${user.id}:${form}`;
  const [typed, setTyped] = useState<Partial<T>>({});
  const [isRestored, setRestored] = useState(false);
  // Whose it is may be known only later. Nobody is to see the form without it.
  useLayoutEffect(() => {
    if (!isKnown) return;
    const restored = read(key, saved);
    setTyped(restored);
    setRestored(Object.keys(restored).length > 0);
  }, [isKnown, key]);

  const put = (fields: Partial<T>) => {
    setTyped(fields);
    store(key, fields);
  };
  // What is typed as it is saved is no change. The rest stays, also while it is being saved: that may be refused.
  const set = (change: Partial<T>) => {
    const others = Object.entries(typed).filter(([name]) => !(name in change));
    put({ ...(Object.fromEntries(others) as Partial<T>), ...differing(change, saved) });
  };
  const isChanged = Object.keys(differing(typed, saved)).length > 0;
  const discard = () => {
    put({});
    setRestored(false);
    showUndo(words.discarded, () => put(typed));
  };
  return {
    values: { ...saved, ...typed },
    isChanged,
    set,
    /** These are saved. What has been typed since is not; to be called also when the form is gone. */
    done: (fields: Partial<T>) => {
      setRestored(false);
      setTyped((now) => differing(now, fields));
      store(key, read(key, fields));
    },
    /** Says that something has come back. */
    notice: isRestored && isChanged && (
      <Alert variant="light" color="ink">
        <Text size="sm">{words.restored}</Text>
        <Group mt="xs">
          <SmallButton onClick={discard}>{words.discard}</SmallButton>
        </Group>
      </Alert>
    ),
  };
}

function store(key: string, fields: object): void {
  if (Object.keys(fields).length > 0) storeItem(key, fields);
  else removeItem(key);
}

/** What in this browser differs from what is saved. */
function read<T extends Fields<T>>(key: string, saved: Partial<T>): Partial<T> {
  const stored = readItem(key);
  return typeof stored === 'object' && stored !== null ? differing(stored as Partial<T>, saved) : {};
}

function differing<T extends Fields<T>>(typed: Partial<T>, saved: Partial<T>): Partial<T> {
  const names = Object.keys(typed) as (keyof T)[];
  return Object.fromEntries(
    names
      .filter((name) => typeof typed[name] === 'string' && typed[name] !== saved[name])
      .map((name) => [name, typed[name]]),
  ) as Partial<T>;
}
