import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { showError } from '../explain.ts';
import { strings } from '../strings.ts';

/** Does it at once, or says when it is done. */
type Undo = (() => Promise<unknown>) | (() => void);

/** In milliseconds. */
const STAYS = 12_000;

/** Says what was done and offers to undo it, for as long as the keyboard is there, at least. */
export function showUndo(message: string, undo: Undo): void {
  const stay = (autoClose: number | false) => notifications.update({ id, message: said, autoClose });
  const said = <Undoable message={message} undo={undo} onDone={() => notifications.hide(id)} />;
  const id: string = notifications.show({
    color: 'ink',
    autoClose: STAYS,
    withBorder: true,
    message: said,
    onFocusCapture: () => stay(false),
    onBlurCapture: () => stay(STAYS),
  });
}

function Undoable({ message, undo, onDone }: { message: string; undo: Undo; onDone: () => void }) {
  const [isPending, setPending] = useState(false);
  const press = () => {
    setPending(true);
    const undone = undo();
    if (undone instanceof Promise) undone.catch(showError).finally(onDone);
    else onDone();
  };
  useUndoKey(isPending ? undefined : press);
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{message}</Text>
      <Button size="xs" variant="light" flex="none" loading={isPending} onClick={press} aria-keyshortcuts="Control+Z">
        {strings.undo}
      </Button>
    </Group>
  );
}

/** What can be undone, the latest last. */
const open: symbol[] = [];

/** The latest is undone by Ctrl + Z, too: the keyboard is far from it. In a text that keys are for the text. */
function useUndoKey(press: (() => void) | undefined): void {
  const latest = useRef(press);
  latest.current = press;
  const isOpen = press !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const own = Symbol();
    open.push(own);
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'z';
      if (!isUndo || event.defaultPrevented || open.at(-1) !== own || isText(event.target)) return;
      event.preventDefault();
      latest.current?.();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      open.splice(open.indexOf(own), 1);
    };
  }, [isOpen]);
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

export function showDone(message: string): void {
  notifications.show({ color: 'ink', message, withBorder: true });
}
