import { formatAccountId, getAccount } from '../accounts/account.ts';
import { setUpAccount } from '../accounts/setup.ts';
import { siteUrl } from '../addresses.ts';
import { commandOf } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { command } from './command.ts';
import { explainHeldSubdomain } from './explain-held-subdomain.ts';
import { facts, time } from './output.ts';

export const setupCommand = command({
  about: 'Creates a top-level account with its owner and a first API key.',
  details:
    'Before the first start of the service, this also creates the database, and the start then creates no account of its\n' +
    'own. Run it again for another account, whether the service is running or not. The API key is shown only once.',
  options: {
    'account-name': { type: 'string', value: 'NAME', about: 'The name of the account. Required.' },
    subdomain: {
      type: 'string',
      value: 'SUBDOMAIN',
      about: 'The subdomain of its site. Required.',
    },
    'user-name': { type: 'string', value: 'NAME', about: "The owner's name. Required." },
    'user-email': { type: 'string', value: 'ADDRESS', about: "The owner's mail address. Required." },
  },
  example: '--account-name "Acme Agency" --subdomain acme --user-name "Olivia Owner" --user-email olivia@example.com',
  database: 'any',
  async run({ config, db, values }) {
    await migrate(db);
    const add = () =>
      db.transaction().execute(async (trx) => {
        // Missing values are reported together with invalid ones.
        const input = {
          accountName: values['account-name'] ?? '',
          subdomain: values.subdomain ?? '',
          userName: values['user-name'] ?? '',
          userEmail: values['user-email'] ?? '',
        };
        const { accountId: id, key } = await setUpAccount(trx, input, config);
        return { account: await getAccount(trx, id), key };
      });
    const { account, key } = await explainHeldSubdomain(db, values.subdomain ?? '', add);
    const url = siteUrl({ subdomain: account.subdomain, primaryHost: null }, config);
    return {
      text: facts({
        Account: `${account.name} (${formatAccountId(account.id)})`,
        Site: url,
        API: config.publicUrl,
        'API key': key,
      }),
      json: {
        account: {
          id: formatAccountId(account.id),
          name: account.name,
          subdomain: account.subdomain,
          url,
          created_at: time(account.created_at),
        },
        api_key: key,
      },
      note:
        '\nKeep the key where others cannot read it: it is not shown again.\n' +
        `The owner has no password yet. To sign in${config.inContainer ? ', run this in the container' : ''}:\n` +
        `${commandOf(config)} user sign-in-link --account ${account.subdomain}`,
    };
  },
});
