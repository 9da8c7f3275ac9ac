import { NativeSelect, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PlanJson } from '../../contract.ts';
import { strings } from '../../strings.ts';
import { words } from './action-words.ts';

const MAX_REASON_CHARACTERS = 500;

interface PlanFieldProps {
  readonly plans: readonly PlanJson[];
  readonly chosen: PlanJson | undefined;
  readonly error?: ReactNode;
  readonly onChoose: (id: string) => void;
}

/** The plan that customers get. */
export function PlanField({ plans, chosen, error, onChoose }: PlanFieldProps) {
  return (
    <NativeSelect
      label={words.planField}
      value={chosen ? String(chosen.id) : ''}
      data={plans.map((one) => ({ value: String(one.id), label: strings.customers.plan(one) }))}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      error={error}
      data-autofocus
    />
  );
}

interface ReasonFieldProps {
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (reason: string) => void;
}

/** The reason of a suspension. */
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
