import { Input, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PlanJson } from '../../contract.ts';
import { tomorrow } from '../../parts/tomorrow.ts';
import { strings } from '../../strings.ts';
import { words } from './action-words.ts';

const MAX_REASON_CHARACTERS = 500;

interface PlanFieldProps {
  readonly plans: readonly PlanJson[];
  readonly chosen: PlanJson | undefined;
  readonly error?: ReactNode;
  readonly onChoose: (id: string) => void;
}

/** Finds the chosen plan. No plan is proposed unless there is only one, because the first may be a free one. */
export function chosenPlan(plans: readonly PlanJson[], id: string | undefined): PlanJson | undefined {
  return plans.length === 1 ? plans[0] : plans.find((one) => String(one.id) === id);
}

/** A field for the plan that customers get. */
export function PlanField({ plans, chosen, error, onChoose }: PlanFieldProps) {
  return (
    <NativeSelect
      label={words.planField}
      value={chosen ? String(chosen.id) : ''}
      data={[
        ...(chosen ? [] : [{ value: '', label: words.choosePlan }]),
        ...plans.map((one) => ({ value: String(one.id), label: strings.customers.plan(one) })),
      ]}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      error={error}
      data-autofocus
    />
  );
}

interface WhenFieldProps {
  /** `YYYY-MM-DD`; undefined for now. */
  readonly day: string | undefined;
  readonly error?: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

/** A field for when customers get another plan: at once, or at the beginning of a later day. */
export function WhenField({ day, error, onChange }: WhenFieldProps) {
  return (
    <>
      <Input.Wrapper label={words.when} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={words.when}
          value={day === undefined ? 'now' : 'day'}
          data={[
            { value: 'now', label: words.now },
            { value: 'day', label: words.onDay },
          ]}
          onChange={(when) => onChange(when === 'now' ? undefined : tomorrow())}
        />
      </Input.Wrapper>
      {day !== undefined && (
        <TextInput
          type="date"
          label={words.day}
          description={words.dayText}
          min={tomorrow()}
          required
          value={day}
          error={error}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </>
  );
}

interface ReasonFieldProps {
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (reason: string) => void;
}

/** A field for the reason of a suspension. */
export function ReasonField({ value, error, onChange }: ReasonFieldProps) {
  return (
    <Textarea
      label={words.reason}
      description={words.reasonText}
      maxLength={MAX_REASON_CHARACTERS}
      autosize
      minRows={2}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data-autofocus
    />
  );
}
