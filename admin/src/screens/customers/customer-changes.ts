import { api } from '../../api.ts';
import type { CustomerChangeJson, CustomerDetailsJson, PlanJson, ScheduledChangeJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { strings } from '../../strings.ts';
import { words } from './action-words.ts';

type Customer = Pick<CustomerDetailsJson, 'id' | 'name'>;
type Send = () => Promise<CustomerChangeJson>;

/** Sends a change of a customer, shows what was done, and offers to undo it. Rejects if `send` rejects. */
async function change(
  { id }: Customer,
  send: Send,
  message: string,
  undo: (made: CustomerChangeJson) => Send,
): Promise<void> {
  const made = await send().finally(() => refresh(id));
  showUndo(message, () => {
    undo(made)()
      .then(() => showDone(strings.undone), showError)
      .finally(() => refresh(id));
  });
}

function refresh(id: number): void {
  for (const queryKey of [['customer', id], ['customers'], ['deleted customers'], ['plans'], ['overview']]) {
    void queryClient.invalidateQueries({ queryKey });
  }
}

/** Puts the customer on another plan, unless another user has changed it since it was loaded. */
export function changePlan(customer: CustomerDetailsJson, plan: { id: number; name: string }): Promise<void> {
  const { id, planId, name } = customer;
  return change(
    customer,
    () => api.changeCustomerPlan(id, { planId: plan.id, seenPlanId: planId }),
    words.moved(name, plan.name),
    ({ before, now }) =>
      () =>
        api.changeCustomerPlan(id, { planId: before.plan.id, seenPlanId: now.plan.id }),
  );
}

/** Schedules another plan for the customer. It replaces the scheduled change that was loaded, if any. */
export function schedulePlan(customer: CustomerDetailsJson, plan: PlanJson, day: string): Promise<void> {
  const { id, name, scheduled } = customer;
  return change(
    customer,
    () => api.schedulePlan(id, { planId: plan.id, day, seenId: scheduled?.id ?? null }),
    words.scheduled(name, { plan, day }),
    ({ before, now }) =>
      () =>
        before.scheduled
          ? api.restoreScheduled(id, { scheduledId: before.scheduled.id, seenId: now.scheduled!.id })
          : api.cancelScheduled(id, { seenId: now.scheduled!.id }),
  );
}

/** Cancels the scheduled change, or dismisses the notice that it could not be made. */
export function cancelScheduled({ id, name }: Customer, scheduled: ScheduledChangeJson): Promise<void> {
  return change(
    { id, name },
    () => api.cancelScheduled(id, { seenId: scheduled.id }),
    scheduled.failure === null ? words.scheduleCancelled(name) : words.dismissed(name),
    () => () => api.restoreScheduled(id, { scheduledId: scheduled.id, seenId: null }),
  );
}

export function suspend(customer: Customer, reason: string): Promise<void> {
  const { id, name } = customer;
  return change(
    customer,
    () => api.suspendCustomer(id, { reason }),
    words.suspended(name),
    ({ now }) =>
      () =>
        api.restoreCustomer(id, { seenReason: now.suspensionReason }),
  );
}

export function endSuspension(customer: CustomerDetailsJson): Promise<void> {
  const { id, name, suspensionReason } = customer;
  return change(
    customer,
    () => api.restoreCustomer(id, { seenReason: suspensionReason }),
    words.restored(name),
    ({ before }) =>
      () =>
        api.suspendCustomer(id, { reason: before.suspensionReason ?? '' }),
  );
}

export function remove(customer: Customer): Promise<void> {
  const { id, name } = customer;
  return change(
    customer,
    () => api.deleteCustomer(id),
    words.deleted(name),
    () => () => api.undeleteCustomer(id),
  );
}

export function undelete(customer: Customer): Promise<void> {
  const { id, name } = customer;
  return change(
    customer,
    () => api.undeleteCustomer(id),
    words.undeleted(name),
    () => () => api.deleteCustomer(id),
  );
}
