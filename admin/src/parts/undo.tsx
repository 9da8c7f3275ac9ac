import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { strings } from '../strings.ts';
import { isCommand } from './is-command.ts';

const DISPLAY_MS = 12_000;

/** The ids of the messages with an undo button, the latest last, including queued ones that are not shown yet. */
const offers: string[] = [];
let count = 0;

/** Shows what was done, with an undo button. The message stays while it has the focus. `undo` must show its result at once. */
export function showUndo(message: string, undo: () => void): void {
  const id = `undo-${++count}`;
  const setAutoClose = (autoClose: number | false) => notifications.update({ id, message: content, autoClose });
  const content = <Undoable id={id} message={message} undo={undo} />;
  offers.push(id);
  notifications.show({
    id,
    onClose: () => withdraw(id),
    color: 'ink',
    autoClose: DISPLAY_MS,
    withBorder: true,
    message: content,
    onFocusCapture: () => setAutoClose(false),
    onBlurCapture: () => setAutoClose(DISPLAY_MS),
  });
}

/** True if a message offers an undo. Ctrl or ⌘ + Z then applies to the latest such message. */
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
 * Lets Ctrl or ⌘ + Z undo the latest action, because the button is far from the keyboard focus. In a text field the key
 * applies to the text, and in a dialog not to the screen behind it. Holding the key undoes only one action.
 */
function useUndoKey(id: string, press: () => void): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isCommand(event, 'z') || event.defaultPrevented || offers.at(-1) !== id || isForTextOrDialog(event.target))
        return;
      event.preventDefault();
      if (!event.repeat) latest.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [id]);
}

/** True if the event's target is a text field or in a dialog, which handle the key themselves. */
export function isForTextOrDialog(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, [role=dialog]') !== null;
}

export function showDone(message: string): void {
  notifications.show({ color: 'ink', message, withBorder: true });
}

/** Shows a message until it is closed, for events that the user did not cause here and may notice late. */
export function showLasting(message: string): void {
  notifications.show({ color: 'ink', message, withBorder: true, autoClose: false });
}
