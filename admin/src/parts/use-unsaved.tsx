import { Alert, Group, Text } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import { useIsKnown, useSession } from '../session.ts';
import { strings } from '../strings.ts';
import { SmallButton } from './small-button.tsx';
import { showUndo } from './undo.tsx';
import { differing, type Fields, readUnsaved, storeUnsaved, withTyped } from './unsaved.ts';

const words = strings.settings.unsaved;

/**
 * Holds a form's typed values over the saved ones. The differences are stored in this browser, for this user only, and
 * survive closing the tab or leaving the screen. Must not be used for secrets.
 */
export function useUnsaved<T extends Fields<T>>(form: string, saved: T) {
  const { user } = useSession();
  const isKnown = useIsKnown();
  const key = `app:form:${user.id}:${form}`;
  const [typed, setTyped] = useState<Partial<T>>({});
  const [isRestored, setRestored] = useState(false);
  // The user may become known only later. A layout effect, so that the form is not painted without the stored values.
  useLayoutEffect(() => {
    if (!isKnown) return;
    const restored = readUnsaved(key, saved);
    setTyped(restored);
    setRestored(Object.keys(restored).length > 0);
  }, [isKnown, key]);

  const replaceTyped = (fields: Partial<T>) => {
    setTyped(fields);
    storeUnsaved(key, fields);
  };
  const set = (change: Partial<T>) => replaceTyped(withTyped(typed, change, saved));
  const isChanged = Object.keys(differing(typed, saved)).length > 0;
  const discard = () => {
    replaceTyped({});
    setRestored(false);
    showUndo(words.discarded, () => replaceTyped(typed));
  };
  return {
    values: { ...saved, ...typed },
    isChanged,
    set,
    /** Records that these fields were saved. Later typing stays unsaved. Call this even if the form has been unmounted. */
    done: (fields: Partial<T>) => {
      setRestored(false);
      setTyped((now) => differing(now, fields));
      storeUnsaved(key, readUnsaved(key, fields));
    },
    /** The notice that unsaved values were restored. */
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
