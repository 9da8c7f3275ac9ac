import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { RevenueStep } from '../../contract.ts';
import { words } from './words.ts';

interface RangePickerProps {
  readonly from: string;
  readonly to: string;
  readonly step: RevenueStep;
}

const steps: readonly RevenueStep[] = ['month', 'quarter', 'year'];

/** The days that the revenue is told of, and the periods by which. They are in the address of the page. */
export function RangePicker({ from, to, step }: RangePickerProps) {
  const [, setSearch] = useSearchParams();
  const choose = (values: Record<string, string>) =>
    setSearch((search) => ({ ...Object.fromEntries(search), ...values }), { replace: true });
  return (
    <Group mb="lg" align="flex-start" gap="sm">
      <NativeSelect
        label={words.step.label}
        value={step}
        // Other periods have a range of their own.
        onChange={(event) => setSearch({ step: event.currentTarget.value }, { replace: true })}
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

/** A field for a day. Typing passes through days that nobody means, so a typed one counts when the field is left, or with Enter. */
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
