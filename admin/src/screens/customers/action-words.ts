/** The words of what an agency does with a customer. */
export const words = {
  plan: 'Change the plan',
  planField: 'New plan',
  planText: 'The change counts from now on. Nobody is charged by this software.',
  over: (excess: string) =>
    `It has more than this plan allows: ${excess}. Nothing is deleted, and nothing can be added.`,
  planSubmit: 'Change',
  moved: (name: string, plan: string) => `${name} is on “${plan}” now.`,

  suspend: 'Suspend',
  suspendTitle: (name: string) => `Suspend ${name}?`,
  suspendText:
    'The website shows that it is not available, its keys do not work, and its people cannot sign in. It is not counted in your revenue. Nothing is deleted.',
  reason: 'Reason',
  reasonText: 'The people of this customer read it when they sign in. You can leave it empty.',
  suspended: (name: string) => `${name} is suspended.`,
  because: (reason: string) => `Its people read: ${reason}`,
  restore: 'End the suspension',
  restored: (name: string) => `${name} is not suspended any more.`,

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
