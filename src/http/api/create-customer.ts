import { accountId as idInWords } from '../../accounts/account.ts';
import { createCustomer, prepareCustomer } from '../../accounts/create-customer.ts';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { recordApiAuditEvents } from '../../audit/record-api-audit-events.ts';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { inTransaction, type Trx } from '../../db/database.ts';
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
    const { accountId } = caller;
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
    const settings = { publicUrl, sitesDomain, mailFrom, customersPerAddress, actor: `user_${caller.userId}` };
    return (db) =>
      inTransaction(db, async (trx) => {
        const created = await createCustomer(trx, accountId, customer, settings);
        await recordCustomerEvents(trx, { ...created, name: customer.accountName }, caller, ctx.ip);
      });
  },
  afterwards: onMailQueued,
});

/**
 * Records the creation in the audit logs of the seller and of the customer. The customer's log names the seller, but
 * not the seller's users, keys or addresses.
 */
async function recordCustomerEvents(
  trx: Trx,
  { id, name, sellerName }: { id: number; name: string; sellerName: string },
  { accountId, userId, keyId }: KeyOwner,
  ip: string,
): Promise<void> {
  const events = { action: 'customer.created', subjects: [[`customer_${id}`, name]] as const, at: Date.now() };
  await recordApiAuditEvents(trx, accountId, { keyId, ip, userId, ...events });
  const seller = { userId: null, name: sellerName, ip: null };
  await recordAuditEvent(trx, id, seller, { action: 'account.created', subject: idInWords(id), details: { name } });
}

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
