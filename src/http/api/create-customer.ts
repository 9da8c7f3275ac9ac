import { createCustomer, prepareCustomer } from '../../accounts/create-customer.ts';
import { inTransaction } from '../../db/database.ts';
import { inEnglish } from '../../english.ts';
import { AppError, ValidationError } from '../../errors.ts';
import type { FieldError } from '../../field-error.ts';
import { badRequest } from './answers.ts';
import { objectSchema, textSchema } from './json-schema.ts';
import { changeOperation, textField } from './operation.ts';

export const createCustomerOperation = changeOperation('POST /api/customers.json', {
  id: 'createCustomer',
  tag: 'Customers',
  scope: 'customers:write',
  summary: 'Create a customer',
  description:
    "Creates a customer account under the key owner's account, with its admin user and, unless `skip_default_pages` is `1`, default pages. The new user is mailed login instructions. Either everything is created or nothing.",
  input: {
    object: 'customer',
    name: 'Customer',
    fields: {
      account_name: textField('Name of the account.', 'Acme Bakery', { required: true, maxLength: 255 }),
      account_subdomain: textField(
        'Subdomain for the account: letters, digits and hyphens, no hyphen first or last. Case does not matter. A subdomain already in use makes the creation fail.',
        'acme-bakery',
        { required: true, maxLength: 63 },
      ),
      user_name: textField('Name of the admin user.', 'Ann Baker', { required: true, maxLength: 255 }),
      user_email: textField('E-mail address of the admin user, who is mailed login instructions.', 'ann@example.com', {
        required: true,
        maxLength: 254,
        format: 'email',
      }),
      user_password: textField(
        'Password of the admin user: at least 8 characters, at most 1,024 bytes.',
        'rise early 4 bread',
        { required: true, format: 'password' },
      ),
      user_password_confirmation: textField('Must be exactly equal to the password.', 'rise early 4 bread', {
        required: true,
        format: 'password',
      }),
      skip_default_pages: {
        type: 'string',
        accepts: ['string', 1],
        description: '`1` means no default pages are created. Any other value, or none, means they are.',
        example: '1',
      },
    },
  },
  answers: [
    {
      status: 200,
      schema: 'CustomerCreated',
      description: 'The customer was created and the login instructions are on their way.',
    },
    badRequest(
      'The parameters are incorrectly formatted: no `customer` at all, a field given twice, as a list or as an object, in JSON as a number, true or false (but `skip_default_pages` may be the number 1), broken JSON or encoding, or a content type that is not supported.',
      'Incorrect parameters.',
    ),
    {
      status: 422,
      schema: 'CustomerInvalid',
      description: 'Validation failed, and nothing was created. All failures are reported together.',
      example: {
        response: false,
        errors: ['Your URL has already been taken', "User password confirmation doesn't match"],
      },
    },
  ],
  schemas: {
    CustomerCreated: objectSchema(
      { response: { const: true }, errors: { type: 'null', description: 'Always null.' } },
      { id: textSchema("Id of the customer's account, if requested with `Prefer`.", 'account_12') },
    ),
    CustomerInvalid: objectSchema({
      response: { const: false },
      errors: {
        type: 'array',
        minItems: 1,
        items: { type: 'string' },
        description: 'A message for each validation failure.',
      },
    }),
  },
  idPrefix: 'account_',
  noErrors: null,
  malformedMessage: 'Incorrect parameters.',
  present: ({ fields }) => fields.map(sentence),
  fingerprintName: 'create customer',
  prepare: async ({ fields, keyOwner: { accountId, userId, keyId }, ctx: { ip }, dependencies: { db, config } }) => {
    const customer = await prepareCustomer(db, accountId, {
      accountName: fields.account_name,
      accountSubdomain: fields.account_subdomain,
      userName: fields.user_name,
      userEmail: fields.user_email,
      userPassword: fields.user_password,
      userPasswordConfirmation: fields.user_password_confirmation,
      skipDefaultPages: fields.skip_default_pages,
    });
    const { publicUrl, sitesDomain, mailFrom, customersPerAddress } = config;
    const settings = { publicUrl, sitesDomain, mailFrom, customersPerAddress };
    const by = { userId, keyId, ip };
    return (db) =>
      inTransaction(db, (trx) => createCustomer(trx, accountId, customer, settings, by)).catch(listRefusal);
  },
  sendsMail: true,
});

/** Turns the refusal of a further level of accounts into a failure: a 422 of this operation has a list of messages. */
function listRefusal(error: unknown): never {
  const isTooDeep = error instanceof AppError && error.code === 'conflict';
  throw isTooDeep ? new ValidationError([{ field: 'account', code: 'too_deep' }]) : error;
}

/** The names of the fields in messages, as the original service had them. */
const labels: Record<string, string> = {
  account: 'Account',
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
