import { formatAccountId } from '../accounts/account.ts';
import { operator } from '../audit/record-audit-event.ts';
import { resendLoginInstructions } from '../customers/resend-login-instructions.ts';
import { AppError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { command } from './command.ts';
import { CUSTOMER, findCustomer } from './find-customer.ts';

export const resendCommand = command({
  about: "Mails the login instructions to a customer's first user again.",
  details: `${CUSTOMER} Links that were mailed before stop working. The address can be corrected until the user has signed in.`,
  positionals: ['CUSTOMER'],
  options: {
    email: { type: 'string', value: 'EMAIL', about: 'The corrected address, to which the instructions are sent.' },
  },
  example: 'bakery --email ann@bakery.example',
  async run({ config, db, positionals: [who = ''], values }) {
    const { id, subdomain, email } = await db.transaction().execute(async (trx) => {
      const { id, parent_id, subdomain } = await findCustomer(trx, who);
      const input = { customerId: id, email: values.email };
      const email = await resendLoginInstructions(trx, parent_id, input, operator, config).catch(inWords);
      return { id, subdomain, email };
    });
    return {
      text: `The login instructions of "${subdomain}" are queued for ${email}.`,
      json: { customer: { id: formatAccountId(id), subdomain, email } },
    };
  },
});

function inWords(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const message =
    error.why.reason === 'address_in_use'
      ? 'The user has signed in. Only they can change their address.'
      : 'The user has chosen a password. They can use "Forgotten your password?" on the sign-in page.';
  throw new AppError('conflict', message, { cause: error });
}
