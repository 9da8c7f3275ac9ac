import { formatAccountId } from '../accounts/account.ts';
import { changeCurrency } from '../accounts/change-currency.ts';
import { operator } from '../audit/record-audit-event.ts';
import { command } from './command.ts';
import { findAccount } from './find-account.ts';

export const currencyCommand = command({
  about: "Sets the currency of an account's prices.",
  details:
    'ACCOUNT is its subdomain or id (account_12), CURRENCY an ISO 4217 code. Amounts are not converted, so the currency cannot\n' +
    'change while a customer is on a plan with a price.',
  positionals: ['ACCOUNT', 'CURRENCY'],
  example: 'acme EUR',
  async run({ db, positionals: [which = '', code = ''] }) {
    const { id, subdomain, currency } = await db.transaction().execute(async (trx) => {
      const account = await findAccount(trx, which);
      return { ...account, currency: await changeCurrency(trx, account.id, code, operator) };
    });
    return {
      text: `The prices of "${subdomain}" are in ${currency}.`,
      json: { account: { id: formatAccountId(id), currency } },
    };
  },
});
