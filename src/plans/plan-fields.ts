import type { Insertable } from 'kysely';
import type { PlansTable } from '../db/schema.ts';
import type { FieldError } from '../field-error.ts';
import { validateLabel } from '../name.ts';

/** The limits of a plan; null for no limit. */
export interface PlanLimitValues {
  pages: number | null;
  people: number | null;
  /** Megabytes of images. */
  storage: number | null;
  domains: number | null;
}

/** The fields of a plan that can be changed. `undefined` leaves a field as it is. */
export interface PlanFields extends Partial<{ [K in keyof PlanLimitValues]: PlanLimitValues[K] | undefined }> {
  name?: string | undefined;
  description?: string | undefined;
  /** How many days a trial lasts. */
  trialDays?: number | undefined;
}

type PlanColumns = Partial<
  Pick<
    Insertable<PlansTable>,
    'name' | 'description' | 'trial_days' | 'max_pages' | 'max_people' | 'max_storage_bytes' | 'max_domains'
  >
>;

const MAX_DESCRIPTION_CHARACTERS = 1000;
const MAX_TRIAL_DAYS = 365;
const BYTES_PER_MEGABYTE = 2 ** 20;

/** The allowed values. A customer has one person from the start, and needs a page to show anything. */
const ranges: Record<keyof PlanLimitValues, { min: number; max: number }> = {
  pages: { min: 1, max: 1_000_000 },
  people: { min: 1, max: 1_000_000 },
  storage: { min: 0, max: 1_000_000_000 },
  domains: { min: 0, max: 1_000_000 },
};

/** Returns the columns for the fields that are given, and what is wrong with these fields. */
export function parsePlanFields(fields: PlanFields): { columns: PlanColumns; failures: FieldError[] } {
  const failures: FieldError[] = [];
  const columns: PlanColumns = {};
  if (fields.name !== undefined) {
    columns.name = fields.name.trim();
    const problem = validateLabel(columns.name);
    if (problem) failures.push({ field: 'name', ...problem });
  }
  if (fields.description !== undefined) {
    columns.description = fields.description.trim();
    if (columns.description.includes('\0')) failures.push({ field: 'description', code: 'nul_character' });
    if (columns.description.length > MAX_DESCRIPTION_CHARACTERS) {
      failures.push({ field: 'description', code: 'too_long', params: { max: MAX_DESCRIPTION_CHARACTERS } });
    }
  }
  if (fields.trialDays !== undefined) {
    columns.trial_days = fields.trialDays;
    if (!Number.isInteger(fields.trialDays) || fields.trialDays < 0 || fields.trialDays > MAX_TRIAL_DAYS) {
      failures.push({ field: 'trialDays', code: 'count_out_of_range', params: { min: 0, max: MAX_TRIAL_DAYS } });
    }
  }
  for (const limit of Object.keys(ranges) as Array<keyof PlanLimitValues>) {
    const value = fields[limit];
    if (value === undefined) continue;
    const { min, max } = ranges[limit];
    if (value !== null && (!Number.isInteger(value) || value < min || value > max)) {
      failures.push({ field: limit, code: 'count_out_of_range', params: { min, max } });
    }
    if (limit === 'storage') columns.max_storage_bytes = value === null ? null : value * BYTES_PER_MEGABYTE;
    else columns[`max_${limit}`] = value;
  }
  return { columns, failures };
}

export function limitsOf(plan: Required<Pick<PlanColumns, `max_${string}` & keyof PlanColumns>>): PlanLimitValues {
  const { max_pages: pages, max_people: people, max_storage_bytes: bytes, max_domains: domains } = plan;
  return { pages, people, storage: bytes === null ? null : bytes / BYTES_PER_MEGABYTE, domains };
}
