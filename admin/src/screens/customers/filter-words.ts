import type { PlanJson } from '../../contract.ts';
import { formatCalendarDate } from '../../times.ts';
import type { CustomerView } from './customer-view.ts';

/** The texts of the filters, which the first paint does not need. */
export const words = {
  filters: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
  clear: 'Clear filters',
  sort: 'Sort by',
  sorts: [
    { value: 'newest', label: 'Newest first' },
    { value: 'oldest', label: 'Oldest first' },
    { value: 'name', label: 'Name' },
  ],
  plan: 'Plan',
  anyPlan: 'Any plan',
  retired: (name: string) => `${name} (retired)`,
  template: 'Template',
  anyTemplate: 'Any template, or none',
  state: 'State',
  states: [
    { value: '', label: 'Any state' },
    { value: 'active', label: 'Active' },
    { value: 'suspended', label: 'Suspended' },
  ],
  signedIn: 'Signed in',
  signedIns: [
    { value: '', label: 'Signed in or not' },
    { value: 'never', label: 'Never signed in' },
  ],
  mail: 'Mail',
  mails: [
    { value: '', label: 'Any mail' },
    { value: 'failed', label: 'Latest message failed' },
  ],
  domain: 'Own domain',
  domains: [
    { value: '', label: 'Any domain, or none' },
    { value: 'failing', label: 'A domain does not work' },
  ],
  limit: 'Limits of the plan',
  limits: [
    { value: '', label: 'Reached or not' },
    { value: 'full', label: 'A limit is reached' },
  ],
  change: 'Scheduled plan',
  changes: [
    { value: '', label: 'Scheduled or not' },
    { value: 'waiting', label: 'Another plan is scheduled' },
    { value: 'failed', label: 'A change could not be made' },
  ],
  from: 'Created from',
  to: 'Created until',
  csv: 'Save as CSV',
  csvCut: 'A search finds at most 50 customers. Type more letters first.',
  looking: 'Looking for customers…',
  searchOrder: 'Found customers are sorted by name.',
  shown: (count: number, hasMore: boolean) => {
    if (hasMore) return `The first ${count} customers that match the filters`;
    return count === 1 ? '1 customer matches the filters' : `${count} customers match the filters`;
  },
  /** Names the filters that no customer matches. */
  none: (view: CustomerView, plans: readonly PlanJson[] | undefined, search: string) => {
    const found = search === '' ? 'No customer' : `No customer that matches “${search}”`;
    return `${found} ${new Intl.ListFormat('en-GB').format(conditions(view, plans))}.`;
  },
};

function conditions(
  { plan, template, state, signedIn, mail, domain, usage, change, from, to }: CustomerView,
  plans: readonly PlanJson[] | undefined,
) {
  const name = plans?.find(({ id }) => String(id) === plan)?.name;
  const day = (text: string) => formatCalendarDate(new Date(`${text}T00:00`).getTime());
  return [
    plan && (name === undefined ? 'is on that plan' : `is on the plan “${name}”`),
    template && 'was made from that template',
    state && `is ${state}`,
    signedIn && 'has never signed in',
    mail && 'has a latest message that could not be sent',
    domain && 'has a domain that does not work',
    usage && 'is at a limit of its plan',
    change === 'waiting' && 'has a scheduled change of plan',
    change === 'failed' && 'has a change of plan that could not be made',
    from && to && `was created from ${day(from)} to ${day(to)}`,
    from && !to && `was created on ${day(from)} or later`,
    to && !from && `was created on ${day(to)} or earlier`,
  ].flatMap((condition) => condition || []);
}
