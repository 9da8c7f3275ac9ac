import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { strings } from '../strings.ts';

/**
 * A dialog that is there, and has the keyboard, before the next key: Mantine's own is made in the frame after it is asked for,
 * and gets the keyboard later still, so that what one writes at once is lost. Where it moves, that is by app.css alone.
 */
export function Dialog(props: ModalProps) {
  const { opened } = props;
  const root = useRef<HTMLDivElement>(null);
  // Effects of what is inside come first: Mantine has noted by now where the keyboard is to be when it closes.
  useEffect(() => {
    if (opened) root.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, [opened]);
  return (
    <Modal ref={root} transitionProps={{ duration: 0 }} closeButtonProps={{ 'aria-label': strings.close }} {...props} />
  );
}
