import type { ScheduledChangeJson, ScheduleFailure } from '../../contract.ts';
import { strings } from '../../strings.ts';
import { formatPlainDate } from '../../times.ts';

type PlanOfChange = Pick<ScheduledChangeJson, 'plan' | 'day'>;

/** The texts of an agency's actions on a customer. */
export const words = {
  plan: 'Change the plan',
  planField: 'New plan',
  choosePlan: 'Choose a plan',
  planText: 'The new plan counts from then on. This software charges nobody.',
  when: 'When',
  now: 'Now',
  onDay: 'On a date',
  day: 'Date',
  dayText: 'The change is made at the beginning of this day, in the time zone of your settings.',
  over: (excess: string) =>
    `It has more than this plan allows: ${excess}. Nothing is deleted, but nothing can be added.`,
  planSubmit: 'Change',
  moved: (name: string, plan: string) => `${name} is on “${plan}” now.`,

  schedule: 'Schedule',
  scheduled: (name: string, { plan, day }: PlanOfChange) =>
    `On ${formatPlainDate(day)}, ${name} will be put on “${plan.name}”.`,
  scheduledTitle: 'Scheduled change of plan',
  scheduledText: ({ plan, day }: PlanOfChange) => `${strings.customers.plan(plan)}, from ${formatPlainDate(day)}.`,
  failedText: ({ plan, day }: PlanOfChange) =>
    `The change to “${plan.name}” on ${formatPlainDate(day)} could not be made.`,
  failures: {
    customer_deleted: 'The customer was deleted on that day.',
    customer_suspended: 'The customer was suspended on that day. End the suspension, and change the plan again.',
    plan_retired: 'The plan was retired on that day. Offer it again, or choose another plan.',
    over_limits:
      'On that day, the customer had more than the plan allows. If you change the plan again, nothing is deleted, but nothing can be added.',
  } satisfies Record<ScheduleFailure, string>,
  changeSchedule: 'Change',
  cancelSchedule: 'Cancel this change',
  scheduleCancelled: (name: string) => `The plan of ${name} will not be changed.`,
  again: 'Change the plan again',
  dismiss: 'Keep the current plan',
  dismissed: (name: string) => `${name} stays on its plan.`,

  suspend: 'Suspend',
  suspendTitle: (name: string) => `Suspend ${name}?`,
  suspendText:
    'The website shows that it is not available, its keys do not work, and its people cannot sign in. It is not counted in your revenue. Nothing is deleted.',
  reason: 'Reason',
  reasonText: 'The people of this customer see it when they try to sign in. You can leave it empty.',
  suspended: (name: string) => `${name} is suspended.`,
  because: (reason: string) => `Its people see this reason: ${reason}`,
  restore: 'End the suspension',
  restored: (name: string) => `${name} is no longer suspended.`,

  duplicate: 'Duplicate',
  offer: 'Offer as template',
  signInAs: 'Sign in as…',
  signInAsTitle: (name: string) => `Sign in to ${name}`,
  signInAsText:
    'For 15 minutes, you can see and change what this person can. Your changes are marked with your name. The owner can see when and why you signed in. They also get an e-mail, unless they turned that off or have not used a mailed link yet.',
  person: 'Sign in as',
  whySignIn: 'Reason',
  whySignInText: 'The owner of the website sees it.',
  signInAsSubmit: 'Sign in',
  signInForbidden: 'Its owner does not allow people of your agency to sign in.',
  visits: 'Sign-ins by your agency',
  visit: (agent: string, person: string) => `${agent} as ${person}`,
  visitTime: (begin: string, end: string) => `${begin} to ${end}`,

  delete: 'Delete',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText:
    'The website is offline at once. For 30 days nothing is lost, and you can restore the customer. After that, it is deleted for good.',
  deleted: (name: string) => `${name} is deleted. You can restore it for 30 days.`,
  deletedUntil: (date: string) => `Deleted. On ${date}, it is deleted for good.`,
  goneOn: (date: string) => `Deleted for good on ${date}`,
  undelete: 'Restore',
  undeleted: (name: string) => `${name} is restored.`,

  deletedTitle: 'Deleted customers',
};
