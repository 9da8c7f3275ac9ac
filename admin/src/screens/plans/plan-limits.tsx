import { Group, Textarea, TextInput } from '@mantine/core';
import type { PlanJson } from '../../contract.ts';
import { fieldProps } from '../../parts/form.tsx';
import classes from './plans.module.css';
import { words } from './words.ts';

const limits = ['pages', 'people', 'storage', 'domains'] as const;

export const noLimits = { description: '', trialDays: '', pages: '', people: '', storage: '', domains: '' };
type LimitTexts = typeof noLimits;

/** Returns the description and limits of a plan as texts of a form. */
export function textsOf({ description, trialDays, limits: values }: PlanJson): LimitTexts {
  const texts = limits.map((limit) => [limit, values[limit] === null ? '' : String(values[limit])]);
  return {
    ...noLimits,
    ...Object.fromEntries(texts),
    description,
    trialDays: trialDays === 0 ? '' : String(trialDays),
  };
}

/** Returns the texts of a form as fields of a request. An empty text means no limit; an invalid number is sent as -1. */
export function inputOf(texts: LimitTexts) {
  const read = (text: string) => (text.trim() === '' ? null : /^\d{1,15}$/.test(text.trim()) ? Number(text) : -1);
  const { description, trialDays, pages, people, storage, domains } = texts;
  return {
    description,
    trialDays: read(trialDays) ?? 0,
    pages: read(pages),
    people: read(people),
    storage: read(storage),
    domains: read(domains),
  };
}

interface PlanLimitsProps {
  readonly form: { readonly values: LimitTexts; readonly set: (change: Partial<LimitTexts>) => void };
  readonly error: unknown;
}

/** The fields for the description and the limits of a plan. */
export function PlanLimits({ form, error }: PlanLimitsProps) {
  const field = fieldProps(form, error);
  return (
    <>
      <Textarea
        label={words.description}
        autosize
        maxRows={6}
        value={form.values.description}
        error={field('description').error}
        onChange={({ currentTarget: { value } }) => form.set({ description: value })}
      />
      <TextInput
        label={words.trialDays}
        description={words.trialDaysHelp}
        placeholder={words.noTrial}
        inputMode="numeric"
        {...field('trialDays')}
      />
      <Group align="flex-start" role="group" aria-label={words.limits}>
        {limits.map((limit) => (
          <TextInput
            key={limit}
            className={classes.field}
            label={words.limitLabels[limit]}
            placeholder={words.noLimit}
            inputMode="numeric"
            {...field(limit)}
          />
        ))}
      </Group>
    </>
  );
}
