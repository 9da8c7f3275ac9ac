import { exportAccount } from '../account-archives/export-account.ts';
import { type ImportedAccount, importAccount } from '../account-archives/import-account.ts';
import { formatAccountId } from '../accounts/account.ts';
import { siteUrl } from '../addresses.ts';
import { operator } from '../audit/record-audit-event.ts';
import { AppError, ValidationError } from '../errors.ts';
import { openMediaStore } from '../media/open-store.ts';
import { command, UsageError } from './command.ts';
import { explainHeldSubdomain } from './explain-held-subdomain.ts';
import { ACCOUNT, findAccount } from './find-account.ts';
import { counted, printable } from './output.ts';

export const exportCommand = command({
  about: 'Writes an account with its pages, images, people and settings to a ZIP archive.',
  details:
    `${ACCOUNT} account import reads the archive, on any installation and with\n` +
    'either database. The service may be running. The archive has no customers, keys, webhooks, mail or log. An existing\n' +
    'file is replaced once the new one is complete. Only its owner can read it.',
  positionals: ['ACCOUNT', 'FILE'],
  options: {
    'with-secrets': {
      type: 'boolean',
      about: 'Include hashes of passwords and second factors, so that people sign in as before.',
    },
  },
  example: 'bakery bakery.zip',
  async run({ config, db, positionals: [account = '', file = ''], values }) {
    const { id, subdomain } = await findAccount(db, account);
    const withSecrets = values['with-secrets'] === true;
    const input = { file, withSecrets };
    const { lines, missingImages } = await exportAccount({ db, store: openMediaStore(config) }, id, input, operator);
    const text = [
      ...missingImages.map(
        ({ id, name }) => `The image "${printable(name)}" (${id}) is not in the archive: its files are missing.`,
      ),
      `"${subdomain}" is in ${file}: ${contentOf(lines)}.`,
      ...(withSecrets ? ['The archive has password hashes: protect it like the database.'] : []),
    ];
    const accountJson = { id: formatAccountId(id), subdomain };
    const json = { account: accountJson, file, has_secrets: withSecrets, lines, missing_images: missingImages };
    return { text: text.join('\n'), json, exitCode: missingImages.length === 0 ? 0 : 1 };
  },
});

export const importCommand = command({
  about: 'Creates an account from a ZIP archive that account export has written.',
  details:
    'The archive is checked first. Either everything is created or nothing. Domains must be verified again. Without --under, the\n' +
    'account is a top-level one. People whose passwords are not in the archive choose new ones by a link: "Forgotten your\n' +
    'password?" on the sign-in page, or user sign-in-link.',
  positionals: ['FILE'],
  options: {
    under: { type: 'string', value: 'SELLER', about: 'The account whose customer the new account becomes.' },
    plan: {
      type: 'string',
      value: 'PLAN',
      about: 'The name of a plan of the seller. Default: the name of the former plan.',
    },
    subdomain: {
      type: 'string',
      value: 'SUBDOMAIN',
      about: 'The subdomain of its site. Default: its former subdomain.',
    },
  },
  example: 'bakery.zip --under acme --plan Business',
  async run({ config, db, positionals: [file = ''], values: { under, plan, subdomain } }) {
    if (plan !== undefined && under === undefined)
      throw new UsageError('--plan needs --under, the seller of the plan.');
    const sellerId = under === undefined ? undefined : (await findAccount(db, under)).id;
    const dependencies = { db, store: openMediaStore(config), config };
    const create = () => importAccount(dependencies, { file, sellerId, plan, subdomain }, operator);
    const account = await explainHeldSubdomain(db, subdomain ?? '', create).catch((error: unknown) => {
      throw subdomain === undefined && isTaken(error) ? new AppError('conflict', TAKEN) : error;
    });
    const url = siteUrl({ subdomain: account.subdomain, primaryHost: null }, config);
    const text = [
      ...account.notes.map(({ code, value }) => notes[code](value)),
      `${printable(account.name)} (${formatAccountId(account.id)}) is created: ${url}`,
      `It has ${contentOf(account.lines)}${account.plan === undefined ? '' : `, on the plan "${account.plan}"`}.`,
      ...(account.lines.domains > 0 ? ['Its domains must be verified again: see domain list.'] : []),
      ...(account.hasSecrets ? [] : ['Its people have no passwords yet: each can request a link on the sign-in page.']),
    ];
    const { id, name, plan: planName = null, lines, hasSecrets } = account;
    const shown = {
      id: formatAccountId(id),
      name,
      subdomain: account.subdomain,
      url,
      customer_of: under ?? null,
      plan: planName,
    };
    return { text: text.join('\n'), json: { account: shown, has_secrets: hasSecrets, lines, notes: account.notes } };
  },
});

const TAKEN = "The account's former subdomain is taken here. Choose another with --subdomain.";

function isTaken(error: unknown): boolean {
  return (
    error instanceof ValidationError &&
    error.fields.some(({ field, code }) => field.endsWith('subdomain') && code === 'taken')
  );
}

const notes: Readonly<Record<ImportedAccount['notes'][number]['code'], (value: string) => string>> = {
  reply_to: (address) => `Replies to its messages do not go to ${address} until somebody confirms the address.`,
  mail_words: (kind) =>
    `Its text of the message "${kind}" was left out: only a top-level account with a brand can have its own.`,
  app_domain: (host) => `${host} will show its site: only a top-level account with a brand can have an app.`,
};

function contentOf({ pages, images }: ImportedAccount['lines']): string {
  return `${counted(pages, 'page')} and ${counted(images, 'image')}`;
}
