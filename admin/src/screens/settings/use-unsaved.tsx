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
 * Holds what is typed into a form, over the saved values. The differences stay in this browser, for this person alone, when
 * the tab is closed or another screen opened. Must not be used for secrets.
 */
export function useUnsaved<T extends Fields<T>>(form: string, saved: T) {
  const { user } = useSession();
  const isKnown = useIsKnown();
  const key = `freehold:form:${user.id}:${form}`;
  const [typed, setTyped] = useState<Partial<T>>({});
  const [isRestored, setRestored] = useState(false);
  // The user may be known only later. The form must not be painted without the stored values.
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
  // A value equal to the saved one is no change. All others stay while they are being saved, which may be refused.
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
    /** The notice that stored values were restored. */
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

/** Returns the stored values that differ from the saved ones. */
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
