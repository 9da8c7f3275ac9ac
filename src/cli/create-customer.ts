import { accountId } from '../accounts/account.ts';
import { createCustomer } from '../accounts/create-customer.ts';
import { prepareInvitedCustomer } from '../accounts/prepare-invited-customer.ts';
import { siteUrl } from '../addresses.ts';
import { operator } from '../audit/record-audit-event.ts';
import { listPlans } from '../plans/plans.ts';
import { accountOption, command } from './command.ts';
import { explainHeldSubdomain } from './explain-held-subdomain.ts';
import { findAccount } from './find-account.ts';
import { findPlan } from './find-plan.ts';

export const createCommand = command({
  about: 'Creates a customer of an account, and mails its first user a link to choose a password.',
  options: {
    account: accountOption,
    'account-name': { type: 'string', value: 'NAME', about: 'The name of the customer. Required.' },
    subdomain: { type: 'string', value: 'SUBDOMAIN', about: 'The subdomain of its site. Required.' },
    'user-name': { type: 'string', value: 'NAME', about: "The first user's name. Required." },
    'user-email': { type: 'string', value: 'ADDRESS', about: "The first user's mail address. Required." },
    plan: { type: 'string', value: 'PLAN', about: "The name or id of a plan. Otherwise the account's default plan." },
    language: {
      type: 'string',
      value: 'en',
      about: "The language of its pages. Otherwise that of the account's site.",
    },
  },
  example:
    '--account acme --account-name Bakery --subdomain bakery --user-name "Ann Baker" --user-email ann@bakery.example',
  database: 'current',
  async run({ config, db, values }) {
    const { id: seller } = await findAccount(db, values.account);
    const subdomain = values.subdomain ?? '';
    const planId = values.plan === undefined ? undefined : findPlan(await listPlans(db, seller), values.plan).id;
    const input = {
      accountName: values['account-name'] ?? '',
      subdomain,
      userName: values['user-name'] ?? '',
      userEmail: values['user-email'] ?? '',
      planId,
      language: values.language,
    };
    const create = async () => {
      const customer = await prepareInvitedCustomer(db, seller, input);
      const id = await db.transaction().execute((trx) => createCustomer(trx, seller, customer, config, operator));
      return { ...customer, id };
    };
    const customer = await explainHeldSubdomain(db, subdomain, create);
    const url = siteUrl({ subdomain: customer.subdomain, primaryHost: null }, config);
    return {
      text: `${customer.accountName} is created: ${url}\nThe login instructions are queued for ${customer.userEmail}.`,
      json: {
        customer: { id: accountId(customer.id), name: customer.accountName, subdomain: customer.subdomain, url },
      },
    };
  },
});
