import { type AccountRow, formatAccountId, getAccount } from '../accounts/account.ts';
import { changeSettings } from '../accounts/change-settings.ts';
import { siteUrl } from '../addresses.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { listDomains } from '../domains/list-domains.ts';
import { themes } from '../sites/site.ts';
import { command, type Group, UsageError } from './command.ts';
import { ACCOUNT, findAccount } from './find-account.ts';
import { importCommand } from './import-site.ts';
import { facts, time } from './output.ts';

const show = command({
  about: "Shows the theme, language and address of an account's site.",
  details: ACCOUNT,
  positionals: ['ACCOUNT'],
  example: 'acme',
  async run({ config, db, positionals }) {
    const account = await findAccount(db, positionals[0]!);
    const site = await siteJson(db, account, config);
    return {
      text: facts({
        Site: `${account.name} (${site.id})`,
        Address: site.url,
        Domains: site.domains.join(', ') || 'none',
        Status: site.status,
        Theme: site.theme,
        Accent: site.accent,
        Language: site.language,
        Changed: site.changed_at,
      }),
      json: { site },
    };
  },
});

const change = command({
  about: "Changes the theme, colour or language of an account's site.",
  details: `${ACCOUNT} Options that are not given stay as they are. Visitors see the\nchange with their next request.`,
  positionals: ['ACCOUNT'],
  options: {
    theme: { type: 'string', value: themes.join('|'), about: 'The theme.' },
    accent: {
      type: 'string',
      value: '1f5fbf',
      about: 'The colour. It is made lighter or darker where text would be hard to read.',
    },
    language: { type: 'string', value: 'en', about: 'The language of its pages: en, de, pt-BR.' },
  },
  example: 'acme --theme business --accent 0a7d4f',
  async run({ config, db, positionals, values: { theme, accent, language } }) {
    if ([theme, accent, language].every((value) => value === undefined)) {
      throw new UsageError('Missing: one of --theme, --accent, --language.');
    }
    const account = await db.transaction().execute(async (trx) => {
      const { id } = await findAccount(trx, positionals[0]!);
      await changeSettings(trx, id, { theme, accent, language }, operator);
      return getAccount(trx, id);
    });
    return {
      text: `The site of "${account.subdomain}" is now ${account.theme} in ${account.accent}, its language ${account.language}.`,
      json: { site: await siteJson(db, account, config) },
    };
  },
});

export const siteCommands: Group = {
  about: "Sites: an account's pages as visitors see them.",
  commands: { show, change, import: importCommand },
};

async function siteJson(db: Db, account: AccountRow, config: Config) {
  const domains = (await listDomains(db, account.id)).filter(({ verified_at }) => verified_at !== null);
  return {
    id: formatAccountId(account.id),
    subdomain: account.subdomain,
    url: siteUrl({ subdomain: account.subdomain, primaryHost: domains[0]?.host ?? null }, config),
    domains: domains.map(({ host }) => host),
    status: account.status,
    theme: account.theme,
    accent: account.accent,
    language: account.language,
    changed_at: time(account.content_changed_at),
  };
}
