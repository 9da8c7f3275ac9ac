import { accountId as idInWords } from '../../accounts/account.ts';
import { createCustomer, prepareCustomer } from '../../accounts/create-customer.ts';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { noteByKey } from '../../audit/note-by-key.ts';
import { noteDeed } from '../../audit/note-deed.ts';
import type { Trx } from '../../db/database.ts';
import type { Failure } from '../../errors.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { create } from './create.ts';
import type { ApiDependencies } from './dependencies.ts';
import { customerSchema } from './operations.ts';

/** `POST /api/customers.json` */
export function createCustomerRoute(
  dependencies: ApiDependencies,
  exchange: Exchange,
  caller: KeyOwner,
): Promise<Answer> {
  const { db, config, onMailQueued } = dependencies;
  return create(dependencies, exchange, caller, {
    operation: 'create customer',
    schema: customerSchema,
    noErrors: null,
    malformedMessage: 'Incorrect parameters.',
    present: ({ failures }) => failures.map(toSentence),
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
      return {
        make: async (trx) => {
          const created = await createCustomer(trx, accountId, customer, settings);
          await noteCustomer(trx, { ...created, name: customer.accountName }, caller, exchange.ip);
        },
      };
    },
    afterwards: onMailQueued,
  });
}

/**
 * In the log of whose customer it is, and as the beginning of its own: there with the name of whom it is a customer of, whose
 * people, keys and addresses are none of its business.
 */
async function noteCustomer(
  trx: Trx,
  { id, name, sellerName }: { id: number; name: string; sellerName: string },
  { accountId, userId, keyId }: KeyOwner,
  ip: string,
): Promise<void> {
  const deeds = { action: 'customer.created', things: [[`customer_${id}`, name]] as const, at: Date.now() };
  await noteByKey(trx, accountId, { keyId, ip, userId, ...deeds });
  const seller = { userId: null, name: sellerName, ip: null };
  await noteDeed(trx, id, seller, { action: 'account.created', subject: idInWords(id), details: { name } });
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

function toSentence([field, message]: Failure): string {
  return `${labels[field] ?? field} ${message}`;
}
