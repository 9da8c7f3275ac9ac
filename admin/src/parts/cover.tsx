import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { hasEnded } from '../signed-in.ts';
import classes from './cover.module.css';
import { focusOn } from './use-restored-focus.ts';

/** The events that screens and libraries listen to on the document. */
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
    // A click on no control keeps the focus inside.
    element.tabIndex = -1;
    element.addEventListener('cancel', (event) => event.preventDefault());
    // Browsers close it anyway when Escape is pressed twice.
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
  // The focus goes to the heading: keys still being typed go nowhere.
  useLayoutEffect(() => {
    const heading = dialog?.querySelector('h1');
    if (heading) focusOn(heading);
  }, [dialog]);
  return dialog && createPortal(children, dialog);
}

/**
 * Keeps keys from everything below the cover: no dialog closes, nothing is undone or published. Must be called before
 * anything else listens, since some listeners are on the window.
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
