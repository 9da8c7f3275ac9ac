import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { strings } from '../strings.ts';
import { isCommand } from './is-command.ts';

const DISPLAY_MS = 12_000;

/** The messages that offer to undo what was done, the latest last, also those that there is no room for yet. */
const offers: string[] = [];
let count = 0;

/**
 * Says what was done and offers to undo it, for as long as the keyboard is there, at least. `undo` shows what comes of it at
 * once.
 */
export function showUndo(message: string, undo: () => void): void {
  const id = `undo-${++count}`;
  const stay = (autoClose: number | false) => notifications.update({ id, message: said, autoClose });
  const said = <Undoable id={id} message={message} undo={undo} />;
  offers.push(id);
  notifications.show({
    id,
    onClose: () => withdraw(id),
    color: 'ink',
    autoClose: DISPLAY_MS,
    withBorder: true,
    message: said,
    onFocusCapture: () => stay(false),
    onBlurCapture: () => stay(DISPLAY_MS),
  });
}

/** Whether a message offers to undo something: the key is for the latest then. */
export function hasOffers(): boolean {
  return offers.length > 0;
}

function withdraw(id: string): void {
  const index = offers.indexOf(id);
  if (index >= 0) offers.splice(index, 1);
}

function Undoable({ id, message, undo }: { id: string; message: string; undo: () => void }) {
  const press = () => {
    withdraw(id);
    undo();
    notifications.hide(id);
  };
  useUndoKey(id, press);
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{message}</Text>
      <Button size="xs" variant="light" flex="none" onClick={press} aria-keyshortcuts="Control+Z">
        {strings.undo}
      </Button>
    </Group>
  );
}

/**
 * The latest is undone by Ctrl + Z, too: the keyboard is far from it. In a text that keys are for the text, and in a dialog
 * for nothing that is behind it. A key that is held undoes one thing.
 */
function useUndoKey(id: string, press: () => void): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isCommand(event, 'z') || event.defaultPrevented || offers.at(-1) !== id || isElsewhere(event.target)) return;
      event.preventDefault();
      if (!event.repeat) latest.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [id]);
}

/** Whether the key is for a text, or for a dialog. */
export function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, [role=dialog]') !== null;
}

export function showDone(message: string): void {
  notifications.show({ color: 'ink', message, withBorder: true });
}

/** Until it is closed: for what somebody has not done here, and may see late. */
export function showLasting(message: string): void {
  notifications.show({ color: 'ink', message, withBorder: true, autoClose: false });
}
