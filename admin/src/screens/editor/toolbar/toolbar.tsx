import { ActionIcon, Tooltip } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { isCommand } from '../../../parts/is-command.ts';
import { strings } from '../../../strings.ts';
import classes from '../editor.module.css';

export interface ToolItem {
  readonly label: string;
  readonly keys?: string;
  readonly icon: ReactNode;
  readonly isOn?: boolean;
  readonly isDisabled?: boolean;
  readonly run: () => void;
}

/** A row of buttons that is one tab stop. Arrow keys move between them, and Ctrl or ⌘ + Z runs the undo tool. */
export function Toolbar({ label, items }: { label: string; items: readonly (ToolItem | 'gap')[] }) {
  const bar = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCommand(event.nativeEvent, 'z')) {
      // Undoes in the text, as if the key was pressed there. The app's own shortcut would undo the last action on the page.
      const undo = items.find((item) => item !== 'gap' && item.label === strings.undo) as ToolItem | undefined;
      if (!undo?.isDisabled) undo?.run();
      event.preventDefault();
      return;
    }
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const buttons = [...(bar.current?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])];
    const index = buttons.indexOf(document.activeElement as HTMLElement);
    buttons[(index + by + buttons.length) % buttons.length]?.focus();
    event.preventDefault();
  };
  let isFirst = true;
  return (
    <div ref={bar} role="toolbar" aria-label={label} className={classes.toolbar} onKeyDown={onKeyDown} tabIndex={-1}>
      {items.map((item, index) => {
        if (item === 'gap') return <span key={index} className={classes.gap} />;
        const tabIndex = isFirst ? 0 : -1;
        isFirst = false;
        return (
          <Tooltip key={item.label} label={item.keys ? `${item.label} (${item.keys})` : item.label}>
            <ActionIcon
              size={34}
              aria-label={item.label}
              aria-pressed={item.isOn}
              disabled={item.isDisabled ?? false}
              tabIndex={tabIndex}
              variant={item.isOn ? 'light' : 'subtle'}
              color={item.isOn ? 'ink' : 'gray'}
              onMouseDown={(event) => event.preventDefault()}
              onClick={item.run}
            >
              {item.icon}
            </ActionIcon>
          </Tooltip>
        );
      })}
    </div>
  );
}
