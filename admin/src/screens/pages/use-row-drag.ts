import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { isWithin, type PageRow, type Place, type Row } from './rows.ts';

/** The part of a row under the pointer: the gap to a neighbour, or the row itself. */
type DropZone = 'before' | 'inside' | 'after';

const EXPAND_DELAY_MS = 700;

interface RowDrag {
  readonly row: PageRow;
  readonly rows: readonly Row[];
  readonly isEnabled: boolean;
  readonly onStart: () => void;
  /** Called when a dragged row stays over this one for a while. */
  readonly onLinger: () => void;
  readonly onDrop: (row: PageRow, place: Place) => void;
}

/** Lets a row be dragged, and other rows be dropped on it. Returns the part of this row over which one is dragged. */
export function useRowDrag(element: RefObject<HTMLElement | null>, drag: RowDrag): DropZone | undefined {
  const [zone, setZone] = useState<DropZone>();
  const latest = useRef(drag);
  latest.current = drag;
  const { isEnabled } = drag;
  useEffect(() => {
    const row = element.current;
    if (!row || !isEnabled) return;
    const zoneAt = (clientY: number): DropZone => {
      const { top, height } = row.getBoundingClientRect();
      const part = (clientY - top) / height;
      if (part < 0.28) return 'before';
      return part > 0.72 ? 'after' : 'inside';
    };
    return combine(
      draggable({
        element: row,
        getInitialData: () => ({ pageRow: latest.current.row }),
        onDragStart: () => latest.current.onStart(),
      }),
      dropTargetForElements({
        element: row,
        canDrop: ({ source }) => {
          const dragged = source.data.pageRow as PageRow | undefined;
          return dragged !== undefined && !isWithin(latest.current.rows, dragged.page.id, latest.current.row);
        },
        onDrag: ({ location }) => setZone(zoneAt(location.current.input.clientY)),
        onDragLeave: () => setZone(undefined),
        onDrop: ({ source, location }) => {
          setZone(undefined);
          const dragged = source.data.pageRow as PageRow;
          latest.current.onDrop(dragged, placeOf(zoneAt(location.current.input.clientY), latest.current.row, dragged));
        },
      }),
    );
  }, [element, isEnabled]);
  useEffect(() => {
    if (zone !== 'inside') return;
    const timer = setTimeout(() => latest.current.onLinger(), EXPAND_DELAY_MS);
    return () => clearTimeout(timer);
  }, [zone]);
  return zone;
}

function placeOf(zone: DropZone, target: PageRow, dragged: PageRow): Place {
  if (zone === 'inside') return { parent: target.page.id, position: target.page.childCount + 1, isLast: true };
  if (zone === 'after' && target.isOpen) return { parent: target.page.id, position: 1 };
  const position = target.page.position + (zone === 'after' ? 1 : 0);
  // Positions are counted without the page that moves.
  const isBehind = dragged.parent === target.parent && dragged.page.position < target.page.position;
  return { parent: target.parent, position: isBehind ? position - 1 : position };
}
