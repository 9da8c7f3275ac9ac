import { ActionIcon, Badge, TextInput } from '@mantine/core';
import { ChevronRight, EyeOff, FilePen, FileText, GripVertical, House } from 'lucide-react';
import { type CSSProperties, useRef, useState } from 'react';
import type { TreePageJson } from '../../contract.ts';
import { strings } from '../../strings.ts';
import classes from './page-tree.module.css';
import type { PageRow, Renaming, Row, TreeHandlers } from './rows.ts';
import { useRowDrag } from './use-row-drag.ts';

const words = strings.pages;

interface TreeRowProps {
  readonly row: PageRow;
  readonly rows: readonly Row[];
  readonly style: CSSProperties;
  readonly isSelected: boolean;
  readonly isTabStop: boolean;
  readonly renaming: Renaming | undefined;
  readonly mayChange: boolean;
  readonly handlers: TreeHandlers;
  readonly onRenamed: () => void;
}

export function TreeRow(props: TreeRowProps) {
  const { row, rows, style, isSelected, isTabStop, renaming, mayChange, handlers } = props;
  const { page, level, isOpen } = row;
  const hasChildren = page.childCount > 0;
  const element = useRef<HTMLDivElement>(null);
  const drop = useRowDrag(element, {
    row,
    rows,
    isEnabled: mayChange && !renaming,
    // The selected row stays in the document, however far away it is dragged.
    onStart: () => handlers.select(page.id),
    onLinger: () => hasChildren && handlers.setOpen(page.id, true),
    onDrop: handlers.drop,
  });
  const isHome = row === rows.find((other) => other.kind === 'page' && other.level === 1 && isVisible(other.page));
  const isOutOfSight = !isVisible(page) || row.isBelowHidden;
  const Icon = isOutOfSight ? EyeOff : isHome ? House : FileText;
  return (
    <div
      ref={element}
      role="treeitem"
      aria-level={level}
      aria-posinset={page.position}
      aria-setsize={row.siblings}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? isOpen : undefined}
      tabIndex={isTabStop ? 0 : -1}
      data-page={page.id}
      data-drop={drop}
      className={classes.row}
      style={style}
      onClick={() => handlers.select(page.id)}
      onDoubleClick={() => handlers.edit(row)}
      onKeyDown={() => {}}
    >
      <ActionIcon
        size={28}
        tabIndex={-1}
        className={classes.twisty}
        data-open={isOpen || undefined}
        data-none={!hasChildren || undefined}
        aria-hidden
        onClick={(event) => {
          event.stopPropagation();
          handlers.setOpen(page.id, !isOpen);
        }}
      >
        <ChevronRight size={16} />
      </ActionIcon>
      <Icon size={16} aria-hidden className={classes.icon} />
      {renaming ? (
        <RenameField {...props} />
      ) : (
        <>
          <span className={classes.name} dir="auto" data-hidden={isOutOfSight || undefined}>
            {page.name}
          </span>
          {!isVisible(page) && (
            <Badge size="sm" variant="default" className={classes.badge}>
              {page.isPublished ? words.hidden : words.unpublished}
            </Badge>
          )}
          {page.hasDraft && (
            <Badge size="sm" variant="light" className={classes.badge} leftSection={<FilePen size={11} />}>
              {words.draft}
            </Badge>
          )}
          {/* Only visual, as generated content: screen readers read the names alone. */}
          <span className={classes.path} data-path={isHome ? '/' : row.path} aria-hidden />
          {mayChange && <GripVertical size={16} aria-hidden className={classes.grip} />}
        </>
      )}
    </div>
  );
}

function isVisible({ isHidden, isPublished }: TreePageJson): boolean {
  return isPublished && !isHidden;
}

/** Edits the name of a page. Enter and leaving the field save the new name; Escape keeps the old one. */
function RenameField({ row, renaming, handlers, onRenamed }: TreeRowProps) {
  const [name, setName] = useState(renaming?.name ?? row.page.name);
  const isDone = useRef(false);
  const finish = (keep: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    handlers.startRename(undefined);
    const trimmed = name.trim();
    if (keep && trimmed !== '' && trimmed !== row.page.name) handlers.rename(row, trimmed);
  };
  return (
    <TextInput
      size="xs"
      flex={1}
      autoFocus
      aria-label={words.renameLabel(row.page.name)}
      value={name}
      maxLength={255}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={() => finish(true)}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        // During a composition, the key belongs to the input method.
        if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
        onRenamed();
        finish(event.key === 'Enter');
      }}
    />
  );
}
