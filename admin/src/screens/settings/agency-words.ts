/** The texts about the agency's access to an account. */
export const words = {
  title: 'Agency',
  text: (agency: string) =>
    `People of ${agency} can sign in to this website as one of its people, to help you. They have to give a reason, and are signed out after 15 minutes. They cannot see or change passwords, second factors, keys or people, and what they change is marked with their name. Programs of ${agency} can work on the pages with API keys of their own, which the list of keys shows.`,
  allow: (agency: string) => `People and programs of ${agency} may work here`,
  mail: 'Tell the owners by e-mail each time',
  visits: 'Who was here',
  none: 'Nobody of your agency has signed in here.',
  visit: (agent: string, person: string) => `${agent} as ${person}`,
  when: (begin: string, end: string) => `${begin} to ${end}`,
  more: 'Show earlier sign-ins',
  allowed: 'Your agency may sign in again, and its programs may work here.',
  forbidden: 'Your agency can no longer sign in. Its people are signed out, and its API keys do not work.',
  mailOn: 'The owners are told by e-mail.',
  mailOff: 'The owners are no longer told by e-mail.',
};
