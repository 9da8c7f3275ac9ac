import { useMediaQuery } from '@mantine/hooks';
import { Notifications, useNotifications } from '@mantine/notifications';
import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { strings } from '../strings.ts';

/** Matches phones, upright or turned. */
const SMALL = '(max-width: 30em), (max-height: 30em)';

/** The most that stand below one another. */
const MAX_MESSAGES = 4;

/**
 * Shows what was done, at the foot of the screen. Messages that do not fit are stacked, the latest in front. The pointer, a
 * touch or the keyboard spreads them; a message at the back stays until it has been in front. Dialogs end above the messages,
 * so that nothing in a dialog is covered.
 */
export function Messages() {
  const aside = useRef<HTMLElement>(null);
  const isSmall = useMediaQuery(SMALL) ?? false;
  const { notifications } = useNotifications();
  const isBeforeDialog = useSyncExternalStore(onDialog, isDialogOpen, () => false);
  const isPile = notifications.length > (isSmall || isBeforeDialog ? 1 : MAX_MESSAGES);
  useRoom(aside, notifications, isPile);
  const press = usePress();
  return (
    <aside aria-label={strings.notifications} ref={aside} onPointerDownCapture={press.begin} onClickCapture={press.end}>
      <Notifications
        position="bottom-center"
        layout={isPile ? 'stacked' : 'default'}
        // Beyond a limit the latest would wait for the others to go.
        limit={Number.MAX_SAFE_INTEGER}
        withinPortal={false}
      />
    </aside>
  );
}

/**
 * A button of theirs that a finger presses does what it says, and the pile is one again: a browser leaves the pointer where the
 * finger was, and all of them would lie spread in front of the screen until it is touched elsewhere.
 */
function usePress() {
  const isFinger = useRef(false);
  return {
    begin: ({ pointerType }: PointerEvent) => {
      isFinger.current = pointerType === 'touch' || pointerType === 'pen';
    },
    end: ({ target }: MouseEvent) => {
      if (!isFinger.current || !(target instanceof Element) || !target.closest('button')) return;
      // As if it had gone on to the screen.
      target.dispatchEvent(new window.MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }));
      document.body.dispatchEvent(new window.PointerEvent('pointerdown', { bubbles: true }));
    },
  };
}

/** Pixels below the messages, and above the first of them, which may be one alone or a pile. */
const [BELOW, ABOVE, EDGES] = [16, 8, 40];

/** Says how much room they take at the foot of the screen, for the dialogs of app.css. */
function useRoom(aside: RefObject<HTMLElement | null>, messages: readonly unknown[], isPile: boolean): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const shown = [...aside.current!.querySelectorAll<HTMLElement>('[role=alert]')];
    if (messages.length === 0) return;
    const observer = new ResizeObserver(() => {
      const height = Math.max(...shown.map(({ offsetHeight }) => offsetHeight));
      style.setProperty('--app-messages', `${BELOW + height + (isPile ? EDGES : ABOVE)}px`);
    });
    for (const message of shown) observer.observe(message);
    return () => {
      observer.disconnect();
      style.removeProperty('--app-messages');
    };
  }, [aside, messages, isPile]);
}

/* What a dialog or drawer locks while it is open. */

const LOCK = 'data-scroll-locked';

function isDialogOpen(): boolean {
  return document.body.hasAttribute(LOCK);
}

function onDialog(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributeFilter: [LOCK] });
  return () => observer.disconnect();
}
