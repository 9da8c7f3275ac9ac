import type { ManyKind } from './preview-changes.ts';

const customers = (count: number) => (count === 1 ? '1 customer' : `${count.toLocaleString('en-GB')} customers`);

/** The texts of an agency's actions on several customers at once. */
export const words = {
  allThatMatch: 'Select all that match',
  allSelected: 'All that match are selected',
  unschedule: 'Cancel scheduled changes',
  keepScheduled: 'Keep the changes',
  reading: 'Reading the customers…',

  titles: {
    plan: 'Change the plan of several customers',
    schedule: 'Change the plan of several customers',
    unschedule: 'Cancel several scheduled changes',
    suspend: 'Suspend several customers',
    restore: 'End several suspensions',
    delete: 'Delete several customers',
  } satisfies Record<ManyKind, string>,
  suspendText:
    'The websites show that they are not available, their keys do not work, and their people cannot sign in. They are not counted in your revenue. Nothing is deleted.',
  deleteText:
    'The websites are offline at once. For 30 days nothing is lost, and you can restore the customers. After that, they are deleted for good.',
  willChange: {
    plan: (count: number) => `${customers(count)} will be put on this plan:`,
    schedule: (count: number) => `${customers(count)} will be put on this plan on that date:`,
    unschedule: (count: number) => `The scheduled change of plan of ${customers(count)} will be cancelled:`,
    suspend: (count: number) => `${customers(count)} will be suspended:`,
    restore: (count: number) => `The suspension of ${customers(count)} will end:`,
    delete: (count: number) => `${customers(count)} will be deleted:`,
  } satisfies Record<ManyKind, (count: number) => string>,
  names: (first: readonly string[], others: number) =>
    new Intl.ListFormat('en-GB').format([
      ...first,
      ...(others > 0 ? [`${others.toLocaleString('en-GB')} others`] : []),
    ]),
  nothing: 'There is nothing to change: all of them are already like this.',
  unchanged: (count: number) =>
    `${customers(count)} ${count === 1 ? 'is' : 'are'} already like this, and ${count === 1 ? 'stays' : 'stay'} so.`,
  willBeRefused: (count: number) => `${customers(count)} will be left as they are:`,
  submit: {
    plan: 'Change',
    schedule: 'Schedule',
    unschedule: 'Cancel the changes',
    suspend: 'Suspend',
    restore: 'End the suspensions',
    delete: 'Delete',
  } satisfies Record<ManyKind, string>,

  progress: (tried: number, count: number) => `${tried.toLocaleString('en-GB')} of ${customers(count)}`,
  stop: 'Stop',
  done: {
    plan: (count: number) => `${customers(count)} ${count === 1 ? 'has' : 'have'} another plan.`,
    schedule: (count: number) => `${customers(count)} will have another plan on that date.`,
    unschedule: (count: number) => `${customers(count)} will stay on ${count === 1 ? 'its' : 'their'} plan.`,
    suspend: (count: number) => `${customers(count)} ${count === 1 ? 'is' : 'are'} suspended.`,
    restore: (count: number) => `${customers(count)} ${count === 1 ? 'is' : 'are'} no longer suspended.`,
    delete: (count: number) =>
      `${customers(count)} ${count === 1 ? 'is' : 'are'} deleted. You can restore them for 30 days.`,
    undo: (count: number) => `${customers(count)} ${count === 1 ? 'is' : 'are'} as before.`,
  } satisfies Record<ManyKind | 'undo', (count: number) => string>,
  left: (count: number) => `You stopped it. ${customers(count)} ${count === 1 ? 'was' : 'were'} not changed.`,
  refused: (count: number) => `${customers(count)} could not be changed:`,
  more: (count: number) => `And ${count.toLocaleString('en-GB')} others.`,
  unknown: 'A customer',
};
