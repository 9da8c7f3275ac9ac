import { accountId } from '../accounts/account.ts';
import { changeCurrency } from '../accounts/change-currency.ts';
import { operator } from '../audit/record-audit-event.ts';
import { command } from './command.ts';
import { findAccount } from './find-account.ts';

export const currencyCommand = command({
  about: 'Says in which currency the prices of an account are.',
  details:
    'ACCOUNT is its subdomain or id (account_12), CURRENCY a code of ISO 4217. Amounts are not converted, so it stays as it is while\n' +
    'somebody is on a plan with a price.',
  positionals: ['ACCOUNT', 'CURRENCY'],
  example: 'acme EUR',
  async run({ db, positionals: [which = '', code = ''] }) {
    const { id, subdomain, currency } = await db.transaction().execute(async (trx) => {
      const account = await findAccount(trx, which);
      return { ...account, currency: await changeCurrency(trx, account.id, code, operator) };
    });
    return {
      text: `The prices of "${subdomain}" are in ${currency}.`,
      json: { account: { id: accountId(id), currency } },
    };
  },
});
