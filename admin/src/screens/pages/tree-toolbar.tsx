import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  Copy,
  ExternalLink,
  Eye,
  EyeOff,
  FilePlus,
  Pencil,
  TextCursorInput,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsKnown, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import classes from './pages-screen.module.css';
import type { TreeHandlers } from './rows.ts';
import { type Direction, type PageRow, type Row, stepFrom } from './rows.ts';
import { treeActions } from './tree-actions.ts';

const words = strings.pages;

interface TreeToolbarProps {
  readonly row: PageRow | undefined;
  readonly rows: readonly Row[];
  readonly mayChange: boolean;
  readonly handlers: TreeHandlers;
  readonly onAddInside: (row: PageRow) => void;
}

/** What can be done with the selected page; everything the keyboard and dragging can do, too. */
export function TreeToolbar({ row, rows, mayChange, handlers, onAddInside }: TreeToolbarProps) {
  const { account } = useSession();
  const isKnown = useIsKnown();
  if (!row) {
    return (
      <div className={classes.toolbar}>
        <Text size="sm" c="dimmed">
          {mayChange || !isKnown ? words.selectHint : words.viewOnly}
        </Text>
      </div>
    );
  }
  const { page } = row;
  const move = (direction: Direction, label: string, icon: ReactNode) => (
    <Tool
      label={label}
      isDisabled={stepFrom(rows, row, direction) === undefined}
      onClick={() => handlers.step(row, direction)}
    >
      {icon}
    </Tool>
  );
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={words.more(page.name)}>
      <Button size="xs" mr={4} leftSection={<Pencil size={15} aria-hidden />} onClick={() => handlers.edit(row)}>
        {words.edit}
      </Button>
      {mayChange && (
        <>
          <Tool label={words.addInside(page.name)} onClick={() => onAddInside(row)}>
            <FilePlus size={18} aria-hidden />
          </Tool>
          <Tool label={words.rename} onClick={() => handlers.startRename(page.id)}>
            <TextCursorInput size={18} aria-hidden />
          </Tool>
          <Tool label={words.duplicate} onClick={() => treeActions.duplicate(row)}>
            <Copy size={18} aria-hidden />
          </Tool>
          <Tool
            label={page.isHidden ? words.show : words.hide}
            onClick={() => treeActions.setHidden(row, !page.isHidden)}
          >
            {page.isHidden ? <Eye size={18} aria-hidden /> : <EyeOff size={18} aria-hidden />}
          </Tool>
        </>
      )}
      <Tooltip label={words.view}>
        <ActionIcon component="a" href={`${account.address}${row.path}`} target="_blank" aria-label={words.view}>
          <ExternalLink size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {mayChange && (
        <>
          <Tool label={words.remove} onClick={() => handlers.remove(row)}>
            <Trash2 size={18} aria-hidden />
          </Tool>
          <Group gap={2} ml="auto" wrap="nowrap">
            {move('up', words.up, <ArrowUp size={18} aria-hidden />)}
            {move('down', words.down, <ArrowDown size={18} aria-hidden />)}
            {move('out', words.out, <ArrowLeft size={18} aria-hidden />)}
            {move('into', words.into, <ArrowRight size={18} aria-hidden />)}
          </Group>
        </>
      )}
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Tool({ label, isDisabled = false, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} disabled={isDisabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
