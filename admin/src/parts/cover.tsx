import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { hasEnded } from '../signed-in.ts';
import classes from './cover.module.css';
import { focusOn } from './use-restored-focus.ts';

/** The events that screens and libraries listen to on the document. */
const blockedEvents = ['keydown', 'keyup', 'focusin', 'mousedown', 'touchstart', 'touchmove', 'wheel'] as const;

/**
 * Covers everything, including dialogs and messages, and cannot be closed. The app below is hidden from sight, screen
 * readers, search, print and the keyboard, but keeps its state. Its focus is restored when the cover is removed.
 */
export function ModalCover({ label, children }: { label: string; children: ReactNode }) {
  const [dialog, setDialog] = useState<HTMLDialogElement>();
  useLayoutEffect(() => {
    const { title } = document;
    const element = document.createElement('dialog');
    element.className = classes.cover!;
    element.setAttribute('aria-label', label);
    // Focusable, so that a click beside the controls keeps the focus inside.
    element.tabIndex = -1;
    element.addEventListener('cancel', (event) => event.preventDefault());
    // Browsers close the dialog anyway when Escape is pressed twice.
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
  // Focuses the heading, so that keys still being typed have no effect.
  useLayoutEffect(() => {
    const heading = dialog?.querySelector('h1');
    if (heading) focusOn(heading);
  }, [dialog]);
  return dialog && createPortal(children, dialog);
}

/**
 * Blocks keyboard events below the cover, so that no shortcut closes, undoes or publishes anything there. Must be called
 * before any other listener is added, since some listen on the window.
 */
export function blockKeysBelowCover(): void {
  const blockKey = (event: KeyboardEvent) => {
    if (!hasEnded()) return;
    const isInCover = event.target instanceof Element && event.target.closest('dialog') !== null;
    if (event.key === 'Escape') event.preventDefault();
    if (event.key === 'Escape' || !isInCover) event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', blockKey, true);
}
