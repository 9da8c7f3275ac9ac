import { changePlan, restoreCustomer, suspendCustomer } from '../../accounts/change-customer.ts';
import { changeCustomerSettings } from '../../accounts/change-customer-settings.ts';
import { deleteCustomer, undeleteCustomer } from '../../accounts/delete-customer.ts';
import type { UserActor } from '../../audit/record-audit-event.ts';
import { resendLoginInstructions } from '../../customers/resend-login-instructions.ts';
import type { Trx } from '../../db/database.ts';
import { ValidationError } from '../../errors.ts';
import type { FieldError } from '../../field-error.ts';
import { parseId } from '../../parse-id.ts';
import { listPlans } from '../../plans/plans.ts';
import { cancelScheduledChange, schedulePlanChange } from '../../scheduled-changes/schedule-plan-change.ts';
import { badRequest, refused } from './answers.ts';
import { changing, changingById } from './changing.ts';
import { missingCustomer } from './customers.ts';
import { idInPath } from './ids.ts';
import { changeOperation, type FieldTexts, type ObjectSchema, textField, textOrNumberField } from './operation.ts';

const malformed = badRequest(
  'The parameters are incorrectly formatted, as when a customer is created.',
  'Incorrect parameters.',
);

const shared = {
  tag: 'Customers',
  scope: 'customers:write',
  malformedMessage: 'Incorrect parameters.',
} as const;

const changes: ObjectSchema<'name' | 'subdomain' | 'plan_id' | 'plan_on' | 'state' | 'suspension_reason'> = {
  object: 'customer',
  name: 'CustomerChanges',
  fields: {
    name: textField("Name of the customer's account.", 'Acme Bakery', { maxLength: 255 }),
    subdomain: textField(
      "Subdomain of the customer's site. A change moves the site: its former address stops working, and nobody else can use the former subdomain for 90 days.",
      'acme-bakery',
      { maxLength: 63 },
    ),
    plan_id: textOrNumberField('Id of the new plan, which applies at once or on the day `plan_on`.', 'plan_3'),
    plan_on: textField(
      'A later day in the time zone of your account, at the start of which the plan changes. Blank, without a plan: cancels the scheduled change.',
      '2027-01-01',
    ),
    state: textField('Suspends the customer, or ends its suspension.', 'suspended', { enum: ['active', 'suspended'] }),
    suspension_reason: textField(
      "Reason for the suspension, which the customer's users see when they sign in. Needs `state`.",
      'Your invoice is overdue.',
      { maxLength: 500 },
    ),
  },
};

export const changeCustomerOperation = changeOperation('PATCH /api/customers/{id}.json', {
  ...shared,
  id: 'changeCustomer',
  summary: 'Change a customer',
  description:
    'Changes the name, subdomain or plan of the customer, suspends the customer, or ends the suspension. A new plan applies now or from a later day. Either all changes are made or none.',
  input: changes,
  exampleFields: ['state', 'suspension_reason'],
  answers: [
    { status: 200, schema: 'Success', description: 'The customer has the requested values.' },
    malformed,
    missingCustomer,
    refused('Validation failed, and nothing was changed.', [['plan_id', 'does not exist']]),
  ],
  fingerprintName: 'change customer',
  prepare: async ({ fields: texts, keyOwner, ctx, dependencies: { config }, id: text }) => {
    const input = { ...parseChange(texts), customerId: idInPath('account', text) };
    const { name, subdomain } = texts;
    return changing(
      keyOwner,
      ctx,
      async (trx, by) => {
        if (name !== undefined || subdomain !== undefined) {
          const { customerId } = input;
          await changeCustomerSettings(trx, keyOwner.accountId, { customerId, name, subdomain }, config, by);
        }
        await applyChange(trx, keyOwner.accountId, input, by);
      },
      fieldNames,
    );
  },
});

export const deleteCustomerOperation = changeOperation('DELETE /api/customers/{id}.json', {
  ...shared,
  id: 'deleteCustomer',
  summary: 'Delete a customer',
  description:
    'Takes the customer offline at once, and deletes it for good after 30 days. Until then it can be restored, and keeps its subdomain.',
  answers: [
    { status: 200, schema: 'Success', description: 'The customer was deleted.' },
    missingCustomer,
    refused('The customer has customers of its own.', 'The account has customers of its own. Delete them first.'),
  ],
  fingerprintName: 'delete customer',
  prepare: changingById('account', deleteCustomer),
});

export const restoreCustomerOperation = changeOperation('POST /api/customers/{id}/restore.json', {
  ...shared,
  id: 'restoreCustomer',
  summary: 'Restore a deleted customer',
  description: 'Undoes the deletion of a customer.',
  answers: [{ status: 200, schema: 'Success', description: 'The customer was restored.' }, missingCustomer],
  fingerprintName: 'restore customer',
  prepare: changingById('account', undeleteCustomer),
});

const instructions: ObjectSchema<'user_email'> = {
  object: 'customer',
  name: 'LoginInstructions',
  isOptional: true,
  fields: {
    user_email: textField('Corrected e-mail address of the user, who must not have signed in yet.', 'ann@example.com', {
      maxLength: 254,
      format: 'email',
    }),
  },
};

export const resendInstructionsOperation = changeOperation('POST /api/customers/{id}/instructions.json', {
  ...shared,
  id: 'resendInstructions',
  summary: 'Resend the login instructions',
  description:
    'Mails the login instructions to the first user of the customer again, with a new link. Earlier links stop working.',
  input: instructions,
  exampleFields: ['user_email'],
  answers: [
    { status: 200, schema: 'Success', description: 'The message is on its way.' },
    malformed,
    missingCustomer,
    refused(
      'The user has already chosen a password, or the address is not valid.',
      'The user has already accepted the invitation.',
    ),
  ],
  fingerprintName: 'resend instructions',
  prepare: async ({ fields: { user_email: email }, keyOwner, ctx, dependencies: { config }, id: text }) => {
    const customerId = idInPath('account', text);
    return changing(
      keyOwner,
      ctx,
      (trx, by) => resendLoginInstructions(trx, keyOwner.accountId, { customerId, email }, by, config),
      fieldNames,
    );
  },
  sendsMail: true,
});

/** The API's names for fields that have other names in the functions called. */
const fieldNames: Readonly<Record<string, string>> = {
  email: 'user_email',
  day: 'plan_on',
  reason: 'suspension_reason',
};

interface CustomerChange {
  planId: number | undefined;
  /** The day of the plan change, or undefined for an immediate change. */
  planOn: string | undefined;
  cancelsPlan: boolean;
  state: 'active' | 'suspended' | undefined;
  reason: string | undefined;
}

/** @throws ValidationError */
function parseChange(texts: FieldTexts<keyof typeof changes.fields>): CustomerChange {
  const [plan, planOn, state] = [texts.plan_id?.trim(), texts.plan_on?.trim(), texts.state?.trim()];
  const planId = plan === undefined ? undefined : parseId('plan', plan);
  const wrong: FieldError[] = [];
  if (plan !== undefined && planId === undefined) wrong.push({ field: 'plan_id', code: 'missing' });
  if (planOn && plan === undefined) wrong.push({ field: 'plan_id', code: 'blank' });
  if (state !== undefined && state !== 'active' && state !== 'suspended') {
    const notOne = { field: 'state', code: 'not_one_of', params: { values: ['active', 'suspended'] } } as const;
    wrong.push(state === '' ? { field: 'state', code: 'blank' } : notOne);
  }
  if (texts.suspension_reason !== undefined && state === undefined) wrong.push({ field: 'state', code: 'blank' });
  if (wrong.length > 0) throw new ValidationError(wrong);
  return {
    planId,
    planOn: planOn || undefined,
    cancelsPlan: planOn === '' && plan === undefined,
    state: state as CustomerChange['state'],
    reason: texts.suspension_reason,
  };
}

async function applyChange(
  trx: Trx,
  accountId: number,
  { customerId, planId, planOn, cancelsPlan, state, reason }: CustomerChange & { customerId: number },
  by: UserActor,
): Promise<void> {
  if (planId !== undefined && !(await listPlans(trx, accountId)).some(({ id }) => id === planId)) {
    throw new ValidationError([{ field: 'plan_id', code: 'missing' }]);
  }
  if (planId !== undefined && planOn !== undefined) {
    await schedulePlanChange(trx, accountId, { customerId, planId, day: planOn }, by);
  } else if (planId !== undefined) await changePlan(trx, accountId, { customerId, planId }, by);
  if (cancelsPlan) await cancelScheduledChange(trx, accountId, { customerId }, by);
  if (state === 'suspended') await suspendCustomer(trx, accountId, customerId, by, reason);
  if (state === 'active') await restoreCustomer(trx, accountId, customerId, by);
}
