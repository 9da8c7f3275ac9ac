import { createCustomer, prepareCustomer } from '../../accounts/create-customer.ts';
import { inTransaction } from '../../db/database.ts';
import { inEnglish } from '../../english.ts';
import type { FieldError } from '../../field-error.ts';
import type { CreationOf } from './create.ts';
import { customerSchema } from './operations.ts';

/** `POST /api/customers.json` */
export const customerCreation: CreationOf = ({ db, config, onMailQueued }, ctx, caller) => ({
  operation: 'create customer',
  schema: customerSchema,
  noErrors: null,
  malformedMessage: 'Incorrect parameters.',
  present: ({ fields }) => fields.map(sentence),
  prepare: async (fields) => {
    const { accountId, userId, keyId } = caller;
    const customer = await prepareCustomer(db, accountId, {
      accountName: fields.get('account_name'),
      accountSubdomain: fields.get('account_subdomain'),
      userName: fields.get('user_name'),
      userEmail: fields.get('user_email'),
      userPassword: fields.get('user_password'),
      userPasswordConfirmation: fields.get('user_password_confirmation'),
      skipDefaultPages: fields.get('skip_default_pages'),
    });
    const { publicUrl, sitesDomain, mailFrom, customersPerAddress } = config;
    const settings = { publicUrl, sitesDomain, mailFrom, customersPerAddress };
    const by = { userId, keyId, ip: ctx.ip };
    return (db) => inTransaction(db, (trx) => createCustomer(trx, accountId, customer, settings, by));
  },
  afterwards: onMailQueued,
});

/** The words in which the original service spoke of the fields. */
const labels: Record<string, string> = {
  account_name: 'Account name',
  account_subdomain: 'Your URL',
  user_name: 'User name',
  user_email: 'User email',
  user_password: 'User password',
  user_password_confirmation: 'User password confirmation',
  skip_default_pages: 'Skip default pages',
  idempotency_key: 'Idempotency-Key',
};

function sentence(error: FieldError): string {
  return `${labels[error.field] ?? error.field} ${inEnglish(error)}`;
}
