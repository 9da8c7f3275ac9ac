import { useMediaQuery } from '@mantine/hooks';
import { Notifications, useNotifications } from '@mantine/notifications';
import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { strings } from '../strings.ts';

/** Matches phones, upright or turned. */
const SMALL = '(max-width: 30em), (max-height: 30em)';

/** The most messages to show below one another. */
const MAX_MESSAGES = 4;

/**
 * Shows messages about finished actions at the foot of the screen. Messages that do not fit are stacked, the latest in
 * front. The pointer, a touch or the keyboard spreads the stack. A message at the back stays until it has been in front.
 * Dialogs end above the messages, so that these cover nothing in a dialog.
 */
export function Messages() {
  const aside = useRef<HTMLElement>(null);
  const isSmall = useMediaQuery(SMALL) ?? false;
  const { notifications } = useNotifications();
  const isBeforeDialog = useSyncExternalStore(onDialog, isDialogOpen, () => false);
  const isPile = notifications.length > (isSmall || isBeforeDialog ? 1 : MAX_MESSAGES);
  useMessagesHeight(aside, notifications, isPile);
  const press = useCollapseAfterPress();
  return (
    <aside aria-label={strings.notifications} ref={aside} onPointerDownCapture={press.begin} onClickCapture={press.end}>
      <Notifications
        position="bottom-center"
        layout={isPile ? 'stacked' : 'default'}
        // With a lower limit, the latest message would wait until earlier ones close.
        limit={Number.MAX_SAFE_INTEGER}
        withinPortal={false}
      />
    </aside>
  );
}

/**
 * Collapses the stack again after a finger has pressed a button of a message. Browsers leave the pointer where the finger
 * was, so the messages would stay spread until the next touch elsewhere.
 */
function useCollapseAfterPress() {
  const isFinger = useRef(false);
  return {
    begin: ({ pointerType }: PointerEvent) => {
      isFinger.current = pointerType === 'touch' || pointerType === 'pen';
    },
    end: ({ target }: MouseEvent) => {
      if (!isFinger.current || !(target instanceof Element) || !target.closest('button')) return;
      // Simulates the pointer leaving for the screen.
      target.dispatchEvent(new window.MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }));
      document.body.dispatchEvent(new window.PointerEvent('pointerdown', { bubbles: true }));
    },
  };
}

/** Pixels below the messages, above a single message or list, and above a stack. */
const [BELOW, ABOVE, EDGES] = [16, 8, 40];

/** Publishes the height that the messages take at the foot of the screen, for the dialogs of app.css. */
function useMessagesHeight(aside: RefObject<HTMLElement | null>, messages: readonly unknown[], isPile: boolean): void {
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

/* The attribute that Mantine sets on the body while a dialog or drawer is open. */

const LOCK = 'data-scroll-locked';

function isDialogOpen(): boolean {
  return document.body.hasAttribute(LOCK);
}

function onDialog(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributeFilter: [LOCK] });
  return () => observer.disconnect();
}
