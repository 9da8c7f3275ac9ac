import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CustomerJson } from '../../../contract.ts';
import { Pinned } from '../../../parts/pinned.tsx';
import { SelectionBar } from '../../../parts/selection-bar.tsx';
import { words as actionWords } from '../action-words.ts';
import { type CustomerView, queryOf } from '../customer-view.ts';
import { readAllCustomers } from '../use-customers.ts';
import { ManyDialog } from './many-dialog.tsx';
import type { ManyKind } from './preview-changes.ts';
import { words } from './words.ts';

interface ManyCustomersProps {
  readonly chosen: readonly CustomerJson[];
  readonly choose: (ids: readonly number[]) => void;
  readonly chooseAll: () => void;
  readonly shown: number;
  readonly view: CustomerView;
  readonly hasMore: boolean;
}

/** The labels of the actions. Scheduling a plan has none, because it is part of the dialog that changes plans. */
const labels: Record<Exclude<ManyKind, 'schedule'>, string> = {
  plan: actionWords.plan,
  unschedule: words.unschedule,
  suspend: actionWords.suspend,
  restore: actionWords.restore,
  delete: actionWords.delete,
};

/** Offers the actions on the selected customers. Renders nothing if none are selected. */
export function ManyCustomers({ chosen, choose, chooseAll, shown, view, hasMore }: ManyCustomersProps) {
  const [wholeView, selectView] = useState<string>();
  const [openDialog, setOpenDialog] = useState<ManyKind>();
  const here = JSON.stringify(queryOf(view, ''));
  // Unselecting one customer also ends the selection of the whole view.
  const isWholeView = wholeView === here && chosen.length === shown;
  const close = () => setOpenDialog(undefined);
  const clear = () => {
    selectView(undefined);
    choose([]);
  };
  return (
    <>
      {chosen.length > 0 && (
        <Pinned>
          <SelectionBar
            count={chosen.length}
            text={isWholeView ? words.allSelected : undefined}
            onAll={chosen.length < shown ? chooseAll : undefined}
            onClear={clear}
          >
            {hasMore && !isWholeView && (
              <Button
                variant="default"
                onClick={() => {
                  chooseAll();
                  selectView(here);
                }}
              >
                {words.allThatMatch}
              </Button>
            )}
            {Object.entries(labels)
              .filter(([kind]) => kind !== 'unschedule' || chosen.some(({ scheduled }) => scheduled))
              .filter(
                ([kind]) => kind !== 'restore' || isWholeView || chosen.some(({ status }) => status === 'suspended'),
              )
              .map(([kind, label]) => (
                <Button key={kind} variant="default" onClick={() => setOpenDialog(kind as ManyKind)}>
                  {label}
                </Button>
              ))}
          </SelectionBar>
        </Pinned>
      )}
      <ManyDialog
        kind={openDialog}
        read={isWholeView ? (signal) => readAllCustomers(view, signal) : () => chosen}
        onClose={close}
        onDone={clear}
      />
    </>
  );
}
