import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { PlanJson } from '../../contract.ts';
import { Dialog, DialogForm } from '../../parts/dialog.tsx';
import { fieldProps } from '../../parts/form.tsx';
import { showDone } from '../../parts/undo.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { queryClient } from '../../queries.ts';
import { PLANS } from './plan-actions.ts';
import { inputOf, noLimits, PlanLimits } from './plan-limits.tsx';
import classes from './plans.module.css';
import { priceInput } from './price-input.ts';
import { words } from './words.ts';

const intervals: readonly PlanJson['interval'][] = ['month', 'quarter', 'year'];
const emptyPlan = { name: '', price: '', interval: 'month' as string, ...noLimits };

interface NewPlanDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function NewPlanDialog({ opened, onClose }: NewPlanDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={words.add} centered>
      {opened && <NewPlan onClose={onClose} />}
    </Dialog>
  );
}

function NewPlan({ onClose }: { onClose: () => void }) {
  const form = useUnsaved('plan', emptyPlan);
  const create = useMutation({
    mutationFn: () =>
      api.createPlan({
        ...form.values,
        ...inputOf(form.values),
        price: priceInput(form.values.price),
        interval: form.values.interval as PlanJson['interval'],
      }),
    onSuccess: ({ name }) => {
      form.done(form.values);
      onClose();
      showDone(words.created(name));
      return queryClient.invalidateQueries({ queryKey: PLANS });
    },
  });
  const field = fieldProps(form, create.error);
  return (
    <DialogForm error={create.error} submit={words.create} onSubmit={() => create.mutate()} onClose={onClose}>
      {form.notice}
      <TextInput label={words.name} required maxLength={255} data-autofocus {...field('name')} />
      <Group align="flex-start">
        <TextInput
          className={classes.field}
          label={words.price}
          description={words.priceHelp}
          required
          inputMode="decimal"
          {...field('price')}
        />
        <NativeSelect
          className={classes.field}
          label={words.interval}
          description={words.intervalHelp}
          data={intervals.map((value) => ({ value, label: words.intervals[value] }))}
          value={form.values.interval}
          onChange={({ currentTarget: { value } }) => form.set({ interval: value })}
        />
      </Group>
      <PlanLimits form={form} error={create.error} />
    </DialogForm>
  );
}
