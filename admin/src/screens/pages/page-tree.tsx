import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { strings } from '../../strings.ts';
import { GapLine } from './gap-line.tsx';
import classes from './page-tree.module.css';
import type { Direction, PageRow, Renaming, Row, TreeHandlers } from './rows.ts';
import { TreeRow } from './tree-row.tsx';

const ROW_HEIGHT_PX = 44;

/** A request to focus a page. Each request is a new object, so that the same page can be focused again. */
interface FocusRequest {
  readonly focusOn: number;
}

interface PageTreeProps {
  readonly rows: readonly Row[];
  readonly selected: number | undefined;
  readonly renaming: Renaming | undefined;
  readonly mayChange: boolean;
  readonly handlers: TreeHandlers;
}

/** The page tree. Renders only the rows on the screen. Arrow keys work as in the ARIA pattern for trees. */
export function PageTree({ rows, selected, renaming, mayChange, handlers }: PageTreeProps) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const selectedIndex = rows.findIndex((row) => row.kind === 'page' && row.page.id === selected);
  const tabStop = selectedIndex === -1 ? rows.findIndex(({ kind }) => kind === 'page') : selectedIndex;
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => rows[index]!.key,
    // The focused row is always rendered: removing it would lose the focus, and a name that is being typed.
    rangeExtractor: (range: Range) => withIndex(defaultRangeExtractor(range), tabStop),
  });
  // The focus follows the page, which may have moved to a row that is not rendered yet, or be selected from an earlier visit.
  // A request for the focus is state: it takes effect once its page is selected, and at once if the page is selected already.
  const [focusRequest, requestFocus] = useState<FocusRequest | undefined>(
    selected === undefined ? undefined : { focusOn: selected },
  );
  const handledRequest = useRef<FocusRequest>(undefined);
  const focusOn = (id: number) => requestFocus({ focusOn: id });
  const rowOf = (id: number | undefined) => list.current?.querySelector<HTMLElement>(`[data-page="${id}"]`);
  // Browsers also drop the focus when a row is moved to another place in the document.
  const hadFocus = list.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body && selected !== undefined) focusOn(selected);
  });
  useEffect(() => {
    if (!focusRequest || focusRequest === handledRequest.current || focusRequest.focusOn !== selected || renaming)
      return;
    const row = rowOf(selected);
    if (!row) return;
    handledRequest.current = focusRequest;
    // The row may be rendered late. The focus stays where it is if the user is typing elsewhere by then.
    const at = document.activeElement;
    if (at instanceof HTMLInputElement && !list.current?.contains(at) && !at.closest('[role=dialog]')) return;
    row.focus({ preventScroll: true });
    bringIntoView(row);
  });
  // A selected page that moves stays in view, unless the user has scrolled away from it.
  const last = useRef({ page: selected, index: selectedIndex });
  useEffect(() => {
    const { page, index } = last.current;
    last.current = { page: selected, index: selectedIndex };
    const row = rowOf(selected);
    const { range } = virtual;
    if (page !== selected || !row?.contains(document.activeElement) || !range) return;
    if (range.startIndex <= index && index <= range.endIndex) bringIntoView(row);
  }, [selected, selectedIndex]);

  const goTo = (row: Row | undefined) => {
    if (row?.kind !== 'page') return;
    focusOn(row.page.id);
    handlers.select(row.page.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The focused page, not the selected one: screen readers can focus any page.
    const at = (event.target as Element).closest<HTMLElement>('[data-page]')?.dataset.page;
    const index = rows.findIndex((row) => row.kind === 'page' && String(row.page.id) === at);
    const row = rows[index];
    if (row?.kind !== 'page' || renaming !== undefined) return;
    const act = keyAction(event, { rows, row, index, mayChange, handlers, goTo });
    if (!act) return;
    event.preventDefault();
    if (event.altKey) focusOn(row.page.id);
    handlers.select(row.page.id);
    act();
  };

  return (
    <div ref={list} role="tree" aria-label={strings.pages.tree} className={classes.tree} onKeyDown={onKeyDown}>
      <div className={classes.space} style={{ height: virtual.getTotalSize() }} role="presentation">
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index]!;
          const transform = `translateY(${start - virtual.options.scrollMargin}px)`;
          const style = { transform, '--level': row.level } as CSSProperties;
          return row.kind === 'gap' ? (
            <GapLine key={key} row={row} style={style} onVisible={() => handlers.loadMore(row.parent)} />
          ) : (
            <TreeRow
              key={key}
              row={row}
              rows={rows}
              style={style}
              isSelected={row.page.id === selected}
              isTabStop={index === tabStop}
              renaming={row.page.id === renaming?.id ? renaming : undefined}
              mayChange={mayChange}
              handlers={handlers}
              onRenamed={() => focusOn(row.page.id)}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Scrolls as little as needed. The `scroll-margin` of the row accounts for the toolbar that covers the tree. */
function bringIntoView(row: HTMLElement): void {
  row.scrollIntoView({ block: 'nearest' });
}

/** Returns the sorted indexes with one more inserted. */
function withIndex(indexes: number[], one: number): number[] {
  if (one === -1 || indexes.includes(one)) return indexes;
  return one < indexes[0]! ? [one, ...indexes] : [...indexes, one];
}

interface KeyContext {
  readonly rows: readonly Row[];
  readonly row: PageRow;
  readonly index: number;
  readonly mayChange: boolean;
  readonly handlers: TreeHandlers;
  readonly goTo: (row: Row | undefined) => void;
}

const steps: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'into',
  ArrowLeft: 'out',
};

function keyAction(event: KeyboardEvent, { rows, row, index, mayChange, handlers, goTo }: KeyContext) {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (altKey) {
    const direction = steps[key];
    return direction && mayChange ? () => handlers.step(row, direction) : undefined;
  }
  if (ctrlKey || metaKey) return undefined;
  switch (key) {
    case 'ArrowDown':
      return () => goTo(rows.slice(index + 1).find(({ kind }) => kind === 'page'));
    case 'ArrowUp':
      return () => goTo(rows.slice(0, index).findLast(({ kind }) => kind === 'page'));
    case 'Home':
      return () => goTo(rows[0]);
    case 'End':
      return () => goTo(rows.findLast(({ kind }) => kind === 'page'));
    case 'ArrowRight':
      if (row.page.childCount === 0) return undefined;
      return () => (row.isOpen ? goTo(rows[index + 1]) : handlers.setOpen(row.page.id, true));
    case 'ArrowLeft':
      if (row.isOpen) return () => handlers.setOpen(row.page.id, false);
      return () => goTo(rows.find((other) => other.kind === 'page' && other.page.id === row.parent));
    case 'Enter':
      return () => handlers.edit(row);
    case 'F2':
      return mayChange ? () => handlers.startRename(row.page.id) : undefined;
    case 'Delete':
      // A held key deletes once: the next page has taken the place by then.
      return mayChange && !event.repeat ? () => handlers.remove(row) : undefined;
    default:
      return undefined;
  }
}
