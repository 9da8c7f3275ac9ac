import { formatAccountId } from '../accounts/account.ts';
import { createCustomer, type PreparedCustomer } from '../accounts/create-customer.ts';
import { createCustomerFromSite } from '../accounts/create-customer-from-site.ts';
import { prepareInvitedCustomer } from '../accounts/prepare-invited-customer.ts';
import { type Addresses, siteUrl } from '../addresses.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { openMediaStore } from '../media/open-store.ts';
import { listPlans } from '../plans/plans.ts';
import { readSite, readTemplate, type SiteToCopy } from '../templates/read-site.ts';
import { listTemplates } from '../templates/templates.ts';
import { commandOfAccount, UsageError } from './command.ts';
import { explainHeldSubdomain } from './explain-held-subdomain.ts';
import { findAccount } from './find-account.ts';
import { findPlan, findTemplate } from './find-by-name.ts';

export const createCommand = commandOfAccount({
  about: 'Creates a customer of an account, and mails its first user a link to choose a password.',
  options: {
    'account-name': { type: 'string', value: 'NAME', about: 'The name of the customer. Required.' },
    subdomain: { type: 'string', value: 'SUBDOMAIN', about: 'The subdomain of its site. Required.' },
    'user-name': { type: 'string', value: 'NAME', about: "The first user's name. Required." },
    'user-email': { type: 'string', value: 'ADDRESS', about: "The first user's mail address. Required." },
    plan: { type: 'string', value: 'PLAN', about: "The name or id of a plan. Default: the account's default plan." },
    language: {
      type: 'string',
      value: 'en',
      about: "The language of its pages. Default: the language of the account's site.",
    },
    template: {
      type: 'string',
      value: 'TEMPLATE',
      about: 'The name or id (template_3) of a template to start from, instead of default pages.',
    },
    site: {
      type: 'string',
      value: 'SITE',
      about: 'The site to copy instead: the subdomain or id of the account or of another customer.',
    },
  },
  example:
    '--account acme --account-name Bakery --subdomain bakery --user-name "Ann Baker" --user-email ann@bakery.example',
  async run({ config, db, account: { id: seller }, values }) {
    if (values.template !== undefined && values.site !== undefined)
      throw new UsageError('Give --template or --site, not both.');
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
      const commit = (complete: PreparedCustomer) =>
        db.transaction().execute((trx) => createCustomer(trx, seller, complete, config, operator));
      const site = await readStart(db, seller, values, config);
      const store = openMediaStore(config);
      const id = site
        ? await createCustomerFromSite({ db, store, config }, customer, site, commit)
        : await commit(customer);
      return { ...customer, id };
    };
    const customer = await explainHeldSubdomain(db, subdomain, create);
    const url = siteUrl({ subdomain: customer.subdomain, primaryHost: null }, config);
    return {
      text: `${customer.accountName} is created: ${url}\nThe login instructions are queued for ${customer.userEmail}.`,
      json: {
        customer: { id: formatAccountId(customer.id), name: customer.accountName, subdomain: customer.subdomain, url },
      },
    };
  },
});

/** Reads the site that the customer starts from; undefined if it starts with default pages. */
async function readStart(
  db: Db,
  seller: number,
  { template, site }: { template?: string | undefined; site?: string | undefined },
  addresses: Addresses,
): Promise<SiteToCopy | undefined> {
  if (template !== undefined) {
    const { id } = findTemplate(await listTemplates(db, seller), template);
    return readTemplate(db, seller, id, addresses);
  }
  return site === undefined ? undefined : readSite(db, seller, (await findAccount(db, site)).id, addresses);
}
