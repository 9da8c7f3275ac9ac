import { api } from '../../api.ts';
import type { ChangePriceInput, PlanJson, PlansJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { changeItem, moveItem, runOptimistic } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { strings } from '../../strings.ts';
import { words } from './words.ts';

export const PLANS = ['plans'];
export const PRICE_CHANGES = ['price changes'];

/** Moves a plan to the place of another in the list. */
export function move(plan: PlanJson, place: PlanJson): void {
  const plans = queryClient.getQueryData<PlansJson>(PLANS)?.plans ?? [];
  const position = plans.findIndex(({ id }) => id === place.id) + 1;
  runOptimistic({
    about: PLANS,
    show: () => moveItem(PLANS, plan, place),
    send: () => api.movePlan(plan.id, { position }),
  });
}

export function retire(plan: PlanJson): void {
  runOptimisticWithUndo({
    about: PLANS,
    show: () => changeItem(PLANS, plan, { retiredAt: Date.now() }),
    send: () => api.retirePlan(plan.id),
    sendBack: () => api.restorePlan(plan.id),
    done: ({ name, activeCustomers }) => words.retired(name, activeCustomers),
    undone: words.restored(plan.name),
  });
}

export function restore(plan: PlanJson): void {
  runOptimisticWithUndo({
    about: PLANS,
    show: () => changeItem(PLANS, plan, { retiredAt: null }),
    send: () => api.restorePlan(plan.id),
    sendBack: () => api.retirePlan(plan.id),
    done: ({ name }) => words.restored(name),
    undone: words.retired(plan.name, plan.activeCustomers),
  });
}

/** Makes the plan the default for new customers. Undoing that restores the default plan from before. */
export function makeDefault(plan: PlanJson, before: PlanJson | undefined): void {
  runOptimisticWithUndo({
    about: PLANS,
    show: () => {
      const takeBack = changeItem(PLANS, plan, { isDefault: true });
      const giveBack = before && changeItem(PLANS, before, { isDefault: false });
      return () => {
        takeBack();
        giveBack?.();
      };
    },
    send: () => api.makePlanDefault(plan.id),
    sendBack: () => api.makePlanDefault((before ?? plan).id),
    done: ({ name }) => words.madeDefault(name),
    undone: words.madeDefault((before ?? plan).name),
  });
}

/** Changes the price of a plan, and offers to undo that. Rejects if the service refuses. */
export async function changePrice(plan: PlanJson, input: ChangePriceInput): Promise<void> {
  const changed = await api.changePrice(plan.id, input);
  await refreshPlans();
  const message = words.priceChanged(changed.plan.name, changed.moves, input.day);
  showUndo(message, () => void undoPriceChange(changed.id));
}

/** Undoes a change of a price that has not taken effect. */
export async function undoPriceChange(id: number): Promise<void> {
  try {
    queryClient.setQueryData(PLANS, await api.undoPriceChange(id));
    showDone(strings.undone);
  } catch (error) {
    showError(error);
  }
  await refreshPlans();
}

async function refreshPlans(): Promise<void> {
  for (const queryKey of [['customers'], ['customer'], PRICE_CHANGES]) void queryClient.invalidateQueries({ queryKey });
  await queryClient.invalidateQueries({ queryKey: PLANS });
}
