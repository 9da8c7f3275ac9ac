import type { CustomerChange, CustomerJson, Reason } from '../../../contract.ts';

/** An action on all selected customers. */
export type ManyAction =
  | { readonly kind: 'plan'; readonly planId: number }
  | { readonly kind: 'schedule'; readonly planId: number; readonly day: string }
  | { readonly kind: 'unschedule' }
  | { readonly kind: 'suspend'; readonly reason: string }
  | { readonly kind: 'restore' }
  | { readonly kind: 'delete' };
export type ManyKind = ManyAction['kind'];

export interface Refused {
  readonly id: number;
  readonly why: Reason | null;
}

export interface Preview {
  readonly changes: CustomerChange[];
  /** How many customers need no change. */
  readonly unchanged: number;
  /** Customers that the service would refuse, as far as the app can tell in advance. */
  readonly refused: Refused[];
}

/** Returns what an action would do to the customers, as far as the data of the list tells. */
export function previewChanges(action: ManyAction, customers: readonly CustomerJson[]): Preview {
  const preview = { changes: [] as CustomerChange[], unchanged: 0, refused: [] as Refused[] };
  for (const customer of customers) {
    const outcome = changeOf(action, customer);
    if (outcome === undefined) preview.unchanged += 1;
    else if ('why' in outcome) preview.refused.push(outcome);
    else preview.changes.push(outcome);
  }
  return preview;
}

function changeOf(
  action: ManyAction,
  { id, planId, status, suspensionReason, scheduled }: CustomerJson,
): CustomerChange | Refused | undefined {
  if (action.kind === 'plan') {
    return planId === action.planId ? undefined : { ...action, id, seenPlanId: planId };
  }
  if (action.kind === 'schedule') {
    const isSame = scheduled?.failure === null && scheduled.planId === action.planId && scheduled.day === action.day;
    return planId === action.planId || isSame ? undefined : { ...action, id, seenId: scheduled?.id ?? null };
  }
  if (action.kind === 'unschedule') return scheduled ? { kind: 'unschedule', id, seenId: scheduled.id } : undefined;
  if (action.kind === 'restore') {
    if (status === 'active') return undefined;
    return { kind: 'restore', id, seenReason: suspensionReason };
  }
  if (action.kind === 'suspend' && status === 'suspended') {
    if ((action.reason.trim() || null) === suspensionReason) return undefined;
    const why: Reason = { reason: 'customer_suspended_already', params: { because: suspensionReason } };
    return { id, why };
  }
  return { ...action, id };
}
