import { formatAccountId } from '../accounts/account.ts';
import { getCustomer, restoreCustomer, suspendCustomer } from '../accounts/change-customer.ts';
import { deleteCustomer, undeleteCustomer } from '../accounts/delete-customer.ts';
import { operator } from '../audit/record-audit-event.ts';
import { command, type Group } from './command.ts';
import { createCommand } from './create-customer.ts';
import { planCommand, scheduledCommand, unscheduleCommand } from './customer-plan.ts';
import { signInsCommand } from './customer-sign-ins.ts';
import { CUSTOMER, findCustomer } from './find-customer.ts';
import { importCommand } from './import-customers.ts';
import { listCommand } from './list-customers.ts';
import { time } from './output.ts';
import { resendCommand } from './resend-login-instructions.ts';
import { showCommand } from './show-customer.ts';

const suspend = command({
  about: 'Suspends a customer: its keys and site are refused.',
  details: CUSTOMER,
  positionals: ['CUSTOMER'],
  options: {
    reason: { type: 'string', value: 'TEXT', about: 'The reason, which its people see when they sign in.' },
  },
  example: 'bakery --reason "The invoice of May is open."',
  async run({ db, positionals, values: { reason } }) {
    const { id, subdomain } = await db.transaction().execute(async (trx) => {
      const customer = await findCustomer(trx, positionals[0]!);
      await suspendCustomer(trx, customer.parent_id, customer.id, operator, reason);
      return customer;
    });
    return statusResult(id, subdomain, 'suspended');
  },
});

const restore = command({
  about: 'Ends the suspension of a customer, or its deletion within 30 days.',
  details: CUSTOMER,
  positionals: ['CUSTOMER'],
  example: 'bakery',
  async run({ db, positionals }) {
    const { id, subdomain, status } = await db.transaction().execute(async (trx) => {
      const { id, parent_id, deletes_at } = await findCustomer(trx, positionals[0]!);
      const change = deletes_at === null ? restoreCustomer : undeleteCustomer;
      await change(trx, parent_id, id, operator);
      return getCustomer(trx, parent_id, id);
    });
    return statusResult(id, subdomain, status);
  },
});

const remove = command({
  about: 'Deletes a customer: it is offline at once, and gone for good after 30 days.',
  details: `${CUSTOMER}\nUntil then \`customer restore\` brings it back. \`account delete\` deletes an account for good at once.`,
  positionals: ['CUSTOMER'],
  example: 'bakery',
  async run({ db, positionals }) {
    const { id, subdomain, deletes_at } = await db.transaction().execute(async (trx) => {
      const { id, parent_id } = await findCustomer(trx, positionals[0]!);
      await deleteCustomer(trx, parent_id, id, operator);
      return getCustomer(trx, parent_id, id);
    });
    return {
      text: `"${subdomain}" is deleted. It can be restored until ${time(deletes_at)}.`,
      json: { customer: { id: formatAccountId(id), subdomain, status: 'deleted', deletes_at: time(deletes_at) } },
    };
  },
});

function statusResult(id: number, subdomain: string, status: 'active' | 'suspended') {
  return {
    text: `"${subdomain}" is now ${status}.`,
    json: { customer: { id: formatAccountId(id), subdomain, status } },
  };
}

export const customerCommands: Group = {
  about: 'Customers: accounts that belong to another account.',
  commands: {
    list: listCommand,
    create: createCommand,
    import: importCommand,
    show: showCommand,
    plan: planCommand,
    scheduled: scheduledCommand,
    unschedule: unscheduleCommand,
    suspend,
    restore,
    delete: remove,
    resend: resendCommand,
    'sign-ins': signInsCommand,
  },
};
