import { api } from '../../api.ts';
import type { PlanJson } from '../../contract.ts';
import { changeItem } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { words } from './words.ts';

export const PLANS = ['plans'];

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

/** Puts new customers on the plan. Undoing that puts them on the plan that was the default before. */
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
