import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  BookOpen,
  CopyPlus,
  ExternalLink,
  Eye,
  EyeOff,
  FilePlus,
  Pencil,
  TextCursorInput,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../parts/icon-button.tsx';
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

/** Offers all actions on the selected page, including those that keys and dragging offer. */
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
  const OpenIcon = mayChange ? Pencil : BookOpen;
  const move = (direction: Direction, label: string, icon: ReactNode) => (
    <IconButton
      label={label}
      disabled={stepFrom(rows, row, direction) === undefined}
      onClick={() => handlers.step(row, direction)}
    >
      {icon}
    </IconButton>
  );
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={words.more(page.name)}>
      <Button size="xs" mr={4} leftSection={<OpenIcon size={15} aria-hidden />} onClick={() => handlers.edit(row)}>
        {mayChange ? words.edit : words.look}
      </Button>
      {mayChange && (
        <>
          <IconButton label={words.addInside(page.name)} onClick={() => onAddInside(row)}>
            <FilePlus size={18} aria-hidden />
          </IconButton>
          <IconButton label={words.rename} onClick={() => handlers.startRename(page.id)}>
            <TextCursorInput size={18} aria-hidden />
          </IconButton>
          <IconButton label={words.duplicate} onClick={() => treeActions.duplicate(row)}>
            <CopyPlus size={18} aria-hidden />
          </IconButton>
          {page.isPublished && (
            <IconButton
              label={page.isHidden ? words.show : words.hide}
              onClick={() => treeActions.setHidden(row, !page.isHidden)}
            >
              {page.isHidden ? <Eye size={18} aria-hidden /> : <EyeOff size={18} aria-hidden />}
            </IconButton>
          )}
        </>
      )}
      {page.isPublished && (
        <Tooltip label={words.view}>
          <ActionIcon component="a" href={`${account.address}${row.path}`} target="_blank" aria-label={words.view}>
            <ExternalLink size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {mayChange && (
        <>
          <IconButton label={words.remove} onClick={() => handlers.remove(row)}>
            <Trash2 size={18} aria-hidden />
          </IconButton>
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
