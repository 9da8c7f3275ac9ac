import { ValidationError } from '../../errors.ts';
import type { FieldError } from '../../field-error.ts';
import { parseFlag } from '../../pages/create-page-input.ts';
import type { PlanFields } from '../../plans/plan-fields.ts';
import { intervals } from '../../plans/plans.ts';
import { type FieldSchema, type FieldTexts, type ObjectSchema, textField, textOrNumberField } from './operation.ts';

const limit = (description: string): FieldSchema => textOrNumberField(`${description} Blank: no limit.`, '10');

const flag = { type: 'boolean', accepts: ['string', 'number', 'boolean'] } as const;

/** The fields that can be set on creation and changed later. */
const commonFields = {
  description: textField('Description of the plan, for the users of your account.', 'For shops', { maxLength: 1000 }),
  trial_days: textOrNumberField("Length of the free trial in days, on a customer's first plan with a price.", '14'),
  pages: limit('Maximum number of pages of a customer.'),
  people: limit('Maximum number of users, including invited users.'),
  storage_mb: limit('Maximum storage for images, in megabytes.'),
  domains: limit('Maximum number of own domains.'),
} as const;

type CommonName = keyof typeof commonFields;

/** The fields of a new plan. */
export const newPlan: ObjectSchema<CommonName | 'name' | 'price' | 'interval' | 'is_default'> = {
  object: 'plan',
  name: 'NewPlan',
  fields: {
    name: textField('Name of the plan, unique within the account.', 'Standard', { required: true, maxLength: 255 }),
    price: textOrNumberField('Price per interval. It cannot be changed: another price needs another plan.', '19.00', {
      required: true,
    }),
    interval: textField('How often the price is due. It cannot be changed.', 'month', {
      required: true,
      enum: intervals,
    }),
    is_default: { ...flag, description: 'Whether new customers get this plan from now on.', example: false },
    ...commonFields,
  },
};

/** The fields of a plan that a client may change. */
export const planChanges: ObjectSchema<CommonName | 'name' | 'position' | 'is_default' | 'is_retired'> = {
  object: 'plan',
  name: 'PlanChanges',
  fields: {
    name: { ...newPlan.fields.name, required: false },
    ...commonFields,
    position: textOrNumberField(
      'Position in the list of plans, starting at 1. A position beyond the end is the last.',
      '1',
    ),
    is_default: {
      ...flag,
      description: 'True puts new customers on this plan. To end this, set it for another plan.',
      example: true,
    },
    is_retired: {
      ...flag,
      description:
        'True retires the plan: its customers stay on it, and no more customers can get it. False offers it again.',
      example: false,
    },
  },
};

/** The API's names for fields that have other names in the functions called. */
export const planFieldNames = { trialDays: 'trial_days', storage: 'storage_mb' };

/** @throws ValidationError */
export function parseNewPlan(texts: FieldTexts<keyof typeof newPlan.fields>) {
  const { name = '', price = '', interval = '' } = texts;
  const failures: FieldError[] = [];
  const isDefault = readFlag(texts, 'is_default', failures) === 1;
  if (failures.length > 0) throw new ValidationError(failures);
  return { name, price, interval: interval.trim(), isDefault, ...readCommonFields(texts) };
}

/** Returns the fields that were sent. A text that is not a number becomes NaN, which is refused later. */
function readCommonFields(texts: FieldTexts<CommonName>): Omit<PlanFields, 'name'> {
  const number = (text: string) => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN);
  const limitOf = (text: string) => (text.trim() === '' ? null : number(text));
  const { description, trial_days, pages, people, storage_mb, domains } = texts;
  return {
    ...(description !== undefined && { description }),
    ...(trial_days !== undefined && { trialDays: number(trial_days) }),
    ...(pages !== undefined && { pages: limitOf(pages) }),
    ...(people !== undefined && { people: limitOf(people) }),
    ...(storage_mb !== undefined && { storage: limitOf(storage_mb) }),
    ...(domains !== undefined && { domains: limitOf(domains) }),
  };
}

/** Returns the flag, or undefined if it was not sent. Adds to the failures if the text is neither true nor false. */
function readFlag<Name extends string>(
  texts: FieldTexts<Name>,
  field: Name,
  failures: FieldError[],
): 0 | 1 | undefined {
  const text = texts[field];
  if (text === undefined) return undefined;
  const value = parseFlag(text);
  if (value === undefined) failures.push({ field, code: 'not_true_or_false' });
  return value;
}

const MAX_POSITION = 1000;

export interface PlanChange {
  fields: PlanFields;
  position: number | undefined;
  isDefault: boolean;
  isRetired: boolean | undefined;
}

/** @throws ValidationError */
export function parsePlanChange(texts: FieldTexts<keyof typeof planChanges.fields>): PlanChange {
  const failures: FieldError[] = [];
  const place = texts.position?.trim();
  const position = place === undefined ? undefined : /^\d{1,4}$/.test(place) ? Number(place) : 0;
  if (position !== undefined && (position < 1 || position > MAX_POSITION)) {
    failures.push({ field: 'position', code: 'count_out_of_range', params: { min: 1, max: MAX_POSITION } });
  }
  const isDefault = readFlag(texts, 'is_default', failures);
  // There is always one default plan. Only choosing another plan replaces it.
  if (isDefault === 0) failures.push({ field: 'is_default', code: 'not_one_of', params: { values: ['true'] } });
  const isRetired = readFlag(texts, 'is_retired', failures);
  if (failures.length > 0) throw new ValidationError(failures);
  const fields = { ...(texts.name !== undefined && { name: texts.name }), ...readCommonFields(texts) };
  return {
    fields,
    position,
    isDefault: isDefault === 1,
    isRetired: isRetired === undefined ? undefined : isRetired === 1,
  };
}
