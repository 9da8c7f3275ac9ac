import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { PlanRevenueJson, RevenueStep } from '../../contract.ts';
import { words } from './words.ts';

interface RangePickerProps {
  readonly from: string;
  readonly to: string;
  readonly step: RevenueStep;
  readonly plans: readonly PlanRevenueJson[];
}

const steps: readonly RevenueStep[] = ['month', 'quarter', 'year'];

/** Chooses the range of days, the length of the periods, and the plan. They are stored in the address of the screen. */
export function RangePicker({ from, to, step, plans }: RangePickerProps) {
  const [search, setSearch] = useSearchParams();
  const plan = search.get('plan') ?? '';
  const choose = (values: Record<string, string>) =>
    setSearch((search) => ({ ...Object.fromEntries(search), ...values }), { replace: true });
  const choosePlan = (chosen: string) =>
    setSearch(
      (search) => {
        const values = new URLSearchParams(search);
        if (chosen === '') values.delete('plan');
        else values.set('plan', chosen);
        return values;
      },
      { replace: true },
    );
  return (
    <Group mb="lg" align="flex-start" gap="sm">
      <NativeSelect
        label={words.step.label}
        value={step}
        // Each length of periods has its own default range.
        onChange={(event) => setSearch({ step: event.currentTarget.value, ...(plan && { plan }) }, { replace: true })}
        data={steps.map((value) => ({ value, label: words.step[value] }))}
      />
      <DayField
        key={`from ${from}`}
        label={words.from}
        day={from}
        onChoose={(day) => choose({ from: day, to })}
        max={to}
      />
      <DayField key={`to ${to}`} label={words.to} day={to} onChoose={(day) => choose({ from, to: day })} min={from} />
      {plans.length > 1 && (
        <NativeSelect
          label={words.plan}
          value={plan}
          onChange={(event) => choosePlan(event.currentTarget.value)}
          data={[
            { value: '', label: words.allPlans },
            ...plans.map(({ planId, name }) => ({ value: String(planId), label: name })),
          ]}
        />
      )}
    </Group>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly day: string;
  readonly onChoose: (day: string) => void;
  readonly min?: string;
  readonly max?: string;
}

/** A field for a day. Typing passes through unintended days, so a typed day counts on leaving the field or with Enter. */
function DayField({ label, day, onChoose, min = '2000-01-01', max = '2199-12-31' }: DayFieldProps) {
  const [text, setText] = useState(day);
  const [error, setError] = useState<string>();
  const choose = () => {
    if (text === day) return setError(undefined);
    if (text === '') return setError(words.notADay);
    if (text < min || text > max) return setError(words.reversed);
    onChoose(text);
  };
  return (
    <TextInput
      type="date"
      label={label}
      value={text}
      error={error}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={choose}
      onKeyDown={({ key }) => key === 'Enter' && choose()}
    />
  );
}
