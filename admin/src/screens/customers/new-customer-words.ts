/** The words of the form for a new customer. */
export const newWords = {
  name: 'Name of the customer',
  subdomain: 'Subdomain',
  subdomainHelp: 'Letters, digits and hyphens. The address of the website begins with it.',
  free: (address: string) => `${address} is free.`,
  plan: 'Plan',
  languageHelp: 'Of the website and its first pages.',
  person: 'Who looks after it',
  personText: 'This person is mailed a link, chooses a password with it, and can invite others.',
  userName: 'Name of the person',
  email: 'Email address',
  submit: 'Create customer',
};
