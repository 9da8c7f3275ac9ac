import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { PlanJson } from '../../contract.ts';
import { Dialog, DialogForm } from '../../parts/dialog.tsx';
import { fieldProps } from '../../parts/form.tsx';
import { showDone } from '../../parts/undo.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { queryClient } from '../../queries.ts';
import { PLANS } from './plan-actions.ts';
import { inputOf, PlanLimits, textsOf } from './plan-limits.tsx';
import { words } from './words.ts';

interface EditPlanDialogProps {
  /** The plan to edit; undefined while the dialog is closed. */
  readonly plan: PlanJson | undefined;
  readonly onClose: () => void;
}

export function EditPlanDialog({ plan, onClose }: EditPlanDialogProps) {
  return (
    <Dialog opened={plan !== undefined} onClose={onClose} title={plan && words.editOf(plan.name)} centered>
      {plan && <EditPlan plan={plan} onClose={onClose} />}
    </Dialog>
  );
}

function EditPlan({ plan, onClose }: { plan: PlanJson; onClose: () => void }) {
  const form = useUnsaved(`plan ${plan.id}`, { name: plan.name, ...textsOf(plan) });
  const { name } = form.values;
  const save = useMutation({
    mutationFn: () => api.changePlan(plan.id, { name, ...inputOf(form.values) }),
    onSuccess: (changed) => {
      form.done(form.values);
      onClose();
      showDone(words.saved(changed.name));
      return queryClient.invalidateQueries({ queryKey: PLANS });
    },
  });
  const field = fieldProps(form, save.error);
  return (
    <DialogForm error={save.error} submit={words.save} onSubmit={() => save.mutate()} onClose={onClose}>
      {form.notice}
      <TextInput label={words.name} required maxLength={255} data-autofocus {...field('name')} />
      <PlanLimits form={form} error={save.error} />
    </DialogForm>
  );
}
