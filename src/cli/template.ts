import { formatAccountId } from '../accounts/account.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import {
  changeTemplate,
  moveTemplate,
  offerTemplate,
  restoreTemplate,
  retireTemplate,
} from '../templates/change-template.ts';
import { type ListedTemplate, listTemplates } from '../templates/templates.ts';
import { accountOption, command, commandOfAccount, type Group, OptionError, UsageError } from './command.ts';
import { findAccount } from './find-account.ts';
import { findTemplate, formatTemplateId } from './find-by-name.ts';
import { table, time } from './output.ts';
import { pushCommand, undoPushCommand } from './push-template.ts';

const TEMPLATE = 'TEMPLATE is its name or id (template_3).';

const list = commandOfAccount({
  about: 'Lists the templates of an account: sites that new customers can start from.',
  example: '--account acme',
  async run({ db, account: { id } }) {
    const templates = await listTemplates(db, id);
    const rows = templates.map((template) => [
      formatTemplateId(template.id),
      template.name,
      template.subdomain,
      String(template.sites),
      stateOf(template),
    ]);
    return {
      text: table(['ID', 'NAME', 'SITE', 'SITES MADE', 'STATE'], rows, 'There are no templates.'),
      json: { templates: templates.map(templateJson) },
    };
  },
});

const offer = commandOfAccount({
  about: 'Offers the site of an account, or of one of its customers, as a template.',
  details: 'SITE is its subdomain or id (account_12). A retired template is offered again.',
  positionals: ['SITE'],
  options: {
    name: { type: 'string', value: 'NAME', required: true, about: 'The name of the template.' },
    description: { type: 'string', value: 'TEXT', about: 'What the template is for.' },
  },
  example: 'bakery --account acme --name Bakery',
  async run({ db, account: { id }, values, positionals: [site = ''] }) {
    const template = await db.transaction().execute(async (trx) => {
      const { id: siteId } = await findAccount(trx, site);
      const { name, description } = values;
      const made = await offerTemplate(trx, id, { siteId, name, description }, operator);
      return findTemplate(await listTemplates(trx, id), formatTemplateId(made));
    });
    return templateResult(template, `${template.name} is a template now: the site of "${template.subdomain}".`);
  },
});

const change = command({
  about: 'Changes the name or description of a template.',
  details: TEMPLATE,
  positionals: ['TEMPLATE'],
  options: {
    account: accountOption,
    name: { type: 'string', value: 'NAME', about: 'Its new name.' },
    description: { type: 'string', value: 'TEXT', about: 'What the template is for.' },
  },
  example: 'Bakery --account acme --name "Bakery and café"',
  async run({ db, values, positionals: [which = ''] }) {
    const { account, name, description } = values;
    if (name === undefined && description === undefined)
      throw new UsageError('Missing: one of --name and --description.');
    const template = await applyChange(db, account, which, (trx, seller, { id }) =>
      changeTemplate(trx, seller, { id, name, description }, operator),
    );
    return templateResult(template, `${template.name} is changed.`);
  },
});

const move = command({
  about: 'Moves a template to another place in the list of templates. The first place is 1.',
  details: TEMPLATE,
  positionals: ['TEMPLATE', 'PLACE'],
  options: { account: accountOption },
  example: 'Bakery 1 --account acme',
  async run({ db, values, positionals: [which = '', place = ''] }) {
    if (!/^[1-9]\d{0,8}$/.test(place)) throw new OptionError('PLACE', 'is not a whole number of at least 1');
    const template = await applyChange(db, values.account, which, (trx, seller, { id }) =>
      moveTemplate(trx, seller, { id, position: Number(place) }, operator),
    );
    return templateResult(template, `${template.name} is moved.`);
  },
});

const retire = command({
  about: 'Retires a template: new customers can no longer start from it. Sites made from it stay.',
  details: TEMPLATE,
  positionals: ['TEMPLATE'],
  options: { account: accountOption },
  example: 'Bakery --account acme',
  async run({ db, values, positionals: [which = ''] }) {
    const template = await applyChange(db, values.account, which, (trx, seller, { id }) =>
      retireTemplate(trx, seller, id, operator),
    );
    return templateResult(template, `${template.name} is retired.`);
  },
});

const restore = command({
  about: 'Offers a retired template again.',
  details: TEMPLATE,
  positionals: ['TEMPLATE'],
  options: { account: accountOption },
  example: 'Bakery --account acme',
  async run({ db, values, positionals: [which = ''] }) {
    const template = await applyChange(db, values.account, which, (trx, seller, { id }) =>
      restoreTemplate(trx, seller, id, operator),
    );
    return templateResult(template, `${template.name} is offered again.`);
  },
});

/** Applies the change. Returns the changed template. */
function applyChange(
  db: Db,
  account: string,
  which: string,
  make: (trx: Trx, seller: number, template: ListedTemplate) => Promise<void>,
): Promise<ListedTemplate> {
  return db.transaction().execute(async (trx) => {
    const { id: seller } = await findAccount(trx, account);
    const template = findTemplate(await listTemplates(trx, seller), which);
    await make(trx, seller, template);
    return findTemplate(await listTemplates(trx, seller), formatTemplateId(template.id));
  });
}

function templateResult(template: ListedTemplate, text: string) {
  return { text, json: { template: templateJson(template) } };
}

function stateOf({ isGone, retired_at }: ListedTemplate): string {
  if (isGone) return 'its site is deleted';
  return retired_at === null ? 'offered' : 'retired';
}

function templateJson(template: ListedTemplate) {
  return {
    id: formatTemplateId(template.id),
    name: template.name,
    description: template.description,
    site_id: formatAccountId(template.site_id),
    site_subdomain: template.subdomain,
    site_deleted: template.isGone,
    sites: template.sites,
    created_at: time(template.created_at),
    retired_at: time(template.retired_at),
  };
}

export const templateCommands: Group = {
  about: 'Templates: sites that new customers start from.',
  commands: { list, offer, change, move, retire, restore, push: pushCommand, undo: undoPushCommand },
};
