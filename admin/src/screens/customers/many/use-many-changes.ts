import { useRef, useState } from 'react';
import { api } from '../../../api.ts';
import type { CustomerChange, CustomerJson } from '../../../contract.ts';
import { runChanges } from '../../../data/run-changes.ts';
import { queryClient } from '../../../queries.ts';
import type { ManyKind, Preview, Refused } from './preview-changes.ts';
import { type ManyOutcome, undoOf } from './undo-of.ts';

export interface ManyState {
  readonly kind: ManyKind | 'undo';
  readonly count: number;
  readonly tried: number;
  readonly names: ReadonlyMap<number, string>;
  /** Undefined until the changes are made or stopped. */
  readonly outcome: ManyOutcome | undefined;
}

/** Makes changes to many customers in batches, and undoes them. */
export function useManyChanges() {
  const [state, setState] = useState<ManyState>();
  const isStopped = useRef(false);

  const run = async (initial: ManyState, changes: readonly CustomerChange[], foreseen: readonly Refused[] = []) => {
    isStopped.current = false;
    setState(initial);
    const outcome = await runChanges(changes, {
      send: api.changeCustomers,
      isStopped: () => isStopped.current,
      onProgress: (tried) => setState({ ...initial, tried }),
    });
    setState({ ...initial, tried: initial.count, outcome: { ...outcome, refused: [...foreseen, ...outcome.refused] } });
    for (const queryKey of [['customer'], ['customers'], ['deleted customers'], ['plans'], ['overview']]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  };

  return {
    state,
    isBusy: state !== undefined && state.outcome === undefined,
    start: (kind: ManyKind, { changes, refused }: Preview, customers: readonly CustomerJson[]) => {
      const names = new Map(customers.map(({ id, name }) => [id, name]));
      void run({ kind, count: changes.length, tried: 0, names, outcome: undefined }, changes, refused);
    },
    stop: () => {
      isStopped.current = true;
    },
    undo: () => {
      const changes = undoOf(state!.outcome!.done);
      void run({ ...state!, kind: 'undo', count: changes.length, tried: 0, outcome: undefined }, changes);
    },
    reset: () => setState(undefined),
  };
}
