import type { PlanJson } from '../../contract.ts';
import { strings } from '../../strings.ts';

/** The texts of the form for a new customer. */
export const newWords = {
  name: 'Name of the customer',
  subdomain: 'Subdomain',
  subdomainHelp: 'Letters, digits and hyphens. The address of the website begins with it.',
  free: (address: string) => `${address} is free.`,
  plan: 'Plan',
  planChoice: (plan: PlanJson) =>
    `${strings.customers.plan(plan)}${plan.trialDays > 0 ? `, ${plan.trialDays} trial days` : ''}`,
  start: 'Starts with',
  defaultPages: 'Default pages',
  template: (name: string) => `Template “${name}”`,
  copyOf: (name: string | undefined) => (name === undefined ? 'A copy of another website' : `A copy of ${name}`),
  startNote:
    'Pages, images and look are copied, with the names in their texts. What is published there is public at once. People, domains, keys, drafts and earlier versions are not copied.',
  languageHelp: 'The first pages are written in it.',
  person: 'Who looks after it',
  personText: 'This person gets a link by mail to choose a password, and can invite others.',
  userName: 'Name of the person',
  email: 'E-mail address',
  submit: 'Create customer',
};
