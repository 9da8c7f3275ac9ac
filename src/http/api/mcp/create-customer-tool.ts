import { formatAccountId } from '../../../accounts/account.ts';
import { createCustomer } from '../../../accounts/create-customer.ts';
import { prepareInvitedCustomer } from '../../../accounts/prepare-invited-customer.ts';
import { notFound } from '../../../errors.ts';
import { parseId } from '../../../parse-id.ts';
import { changing } from '../changing.ts';
import { createCustomerOperation } from '../create-customer.ts';
import type { ObjectSchema } from '../operation.ts';
import { fieldParameters } from './operation-tool.ts';
import { textParameter, tool } from './tool.ts';

type Field = 'account_name' | 'account_subdomain' | 'user_name' | 'user_email';

const { fields } = createCustomerOperation.input as ObjectSchema<Field>;
const { account_name, account_subdomain, user_name, user_email } = fields;

/** Unlike the operation of the API, this tool takes no password: an assistant should not know any. */
export const createCustomerTool = tool({
  name: 'create_customer',
  title: 'Create a customer',
  description:
    'Creates a customer account with its first user, who is mailed a link to choose a password. Ask the person you work for first. To undo it, use delete_customer.',
  scope: 'customers:write',
  effect: 'adds',
  parameters: {
    ...fieldParameters({ account_name, account_subdomain, user_name, user_email }),
    plan_id: textParameter("The id of one of your plans, like plan_3; the account's default plan if not given."),
  },
  run: async ({ db, config, onMailQueued }, { ctx, keyOwner, args }) => {
    const { accountId } = keyOwner;
    const planId = args.plan_id === undefined ? undefined : parseId('plan', args.plan_id);
    if (args.plan_id !== undefined && planId === undefined) throw notFound('The plan');
    const customer = await prepareInvitedCustomer(db, accountId, {
      accountName: args.account_name ?? '',
      subdomain: args.account_subdomain ?? '',
      userName: args.user_name ?? '',
      userEmail: args.user_email ?? '',
      planId,
    });
    const create = changing(keyOwner, ctx, (trx, by) => createCustomer(trx, accountId, customer, config, by));
    const id = await create(db);
    onMailQueued();
    return { customer_id: formatAccountId(id) };
  },
});
