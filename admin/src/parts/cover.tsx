import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { hasEnded } from '../signed-in.ts';
import classes from './cover.module.css';
import { focusOn } from './use-restored-focus.ts';

/** What the screens, and what they are made of, listen to further out. */
const blockedEvents = ['keydown', 'keyup', 'focusin', 'mousedown', 'touchstart', 'touchmove', 'wheel'] as const;

/**
 * Lies over everything, dialogs and messages too, and cannot be closed: nothing below it can be seen, read by a screen
 * reader, found, printed or reached. That stays as it is, and the keyboard is where it was when this goes.
 */
export function ModalCover({ label, children }: { label: string; children: ReactNode }) {
  const [dialog, setDialog] = useState<HTMLDialogElement>();
  useLayoutEffect(() => {
    const { title } = document;
    const element = document.createElement('dialog');
    element.className = classes.cover!;
    element.setAttribute('aria-label', label);
    // Whoever presses beside everything is still in here.
    element.tabIndex = -1;
    element.addEventListener('cancel', (event) => event.preventDefault());
    // Browsers close it after all when they are asked twice.
    element.addEventListener('close', () => element.isConnected && element.showModal());
    for (const name of blockedEvents) element.addEventListener(name, (event) => event.stopPropagation());
    document.body.append(element);
    element.showModal();
    setDialog(element);
    return () => {
      document.title = title;
      element.close();
      element.remove();
    };
  }, [label]);
  // Whoever was writing writes nothing more, not in here either.
  useLayoutEffect(() => {
    const heading = dialog?.querySelector('h1');
    if (heading) focusOn(heading);
  }, [dialog]);
  return dialog && createPortal(children, dialog);
}

/**
 * Of what is covered nothing hears a key: no dialog closes, nothing is undone or published. To be called before anything
 * else listens, since some listen at the window.
 */
export function blockKeysBelowCover(): void {
  const keep = (event: KeyboardEvent) => {
    if (!hasEnded()) return;
    const isInCover = event.target instanceof Element && event.target.closest('dialog') !== null;
    if (event.key === 'Escape') event.preventDefault();
    if (event.key === 'Escape' || !isInCover) event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', keep, true);
}
