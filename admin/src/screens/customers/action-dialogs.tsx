import { Alert, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomerDetailsJson, PlanJson } from '../../contract.ts';
import { explain, fieldErrors } from '../../explain.ts';
import { Dialog, DialogForm } from '../../parts/dialog.tsx';
import { excessOf } from '../../parts/usage-words.ts';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { chosenPlan, PlanField, ReasonField, WhenField } from './action-fields.tsx';
import { words } from './action-words.ts';
import { changePlan, remove, schedulePlan, suspend } from './customer-changes.ts';
import { usePlans } from './use-plans.ts';

interface ContentProps {
  readonly customer: CustomerDetailsJson;
  readonly onClose: () => void;
}
interface DialogProps extends ContentProps {
  readonly opened: boolean;
}

/** Asks for the new plan of a customer. */
export function PlanDialog({ opened, ...props }: DialogProps) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title={words.plan} centered>
      {opened && <Plan {...props} />}
    </Dialog>
  );
}

function Plan({ customer, onClose }: ContentProps) {
  const { scheduled } = customer;
  const offered = usePlans(true)?.filter(({ id, retiredAt }) => retiredAt === null && id !== customer.planId) ?? [];
  const [chosen, choose] = useState(scheduled ? String(scheduled.planId) : undefined);
  const [day, setDay] = useState(scheduled?.failure === null ? scheduled.day : undefined);
  const plan = chosenPlan(offered, chosen);
  const send = useMutation({
    mutationFn: () => (day === undefined ? changePlan(customer, plan!) : schedulePlan(customer, plan!, day)),
    onSuccess: onClose,
  });
  const dayError = fieldErrors(send.error).day;
  return (
    <DialogForm
      submit={day === undefined ? words.planSubmit : words.schedule}
      isIncomplete={!plan}
      onSubmit={() => !send.isPending && plan && send.mutate()}
      onClose={onClose}
    >
      <PlanField
        plans={offered}
        chosen={plan}
        error={!dayError && send.error && explain(send.error)}
        onChoose={choose}
      />
      <WhenField day={day} error={dayError} onChange={setDay} />
      {plan && <Excess customer={customer} plan={plan} />}
      <Text size="sm" c="dimmed">
        {words.planText}
      </Text>
    </DialogForm>
  );
}

/** Shows what the customer uses more of than the plan allows, if anything. */
function Excess({ customer, plan }: { customer: CustomerDetailsJson; plan: PlanJson }) {
  const over = excessOf(customer.limits, plan.limits);
  if (over.length === 0) return null;
  return <Alert variant="light">{words.over(over.join(', '))}</Alert>;
}

/** Asks for the reason of a suspension. */
export function SuspendDialog({ opened, ...props }: DialogProps) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title={words.suspendTitle(props.customer.name)} centered>
      {opened && <Suspend {...props} />}
    </Dialog>
  );
}

function Suspend({ customer, onClose }: ContentProps) {
  const form = useUnsaved(`suspension of customer ${customer.id}`, { reason: '' });
  const send = useMutation({
    mutationFn: () => suspend(customer, form.values.reason),
    onSuccess: () => {
      form.done(form.values);
      onClose();
    },
  });
  return (
    <DialogForm
      error={send.error}
      submit={words.suspend}
      onSubmit={() => !send.isPending && send.mutate()}
      onClose={onClose}
    >
      {form.notice}
      <Text size="sm">{words.suspendText}</Text>
      <ReasonField
        value={form.values.reason}
        error={fieldErrors(send.error).reason}
        onChange={(reason) => form.set({ reason })}
      />
    </DialogForm>
  );
}

/** Shows what deleting a customer does, and asks for confirmation. */
export function DeleteDialog({ opened, ...props }: DialogProps) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title={words.deleteTitle(props.customer.name)} centered>
      {opened && <Delete {...props} />}
    </Dialog>
  );
}

function Delete({ customer, onClose }: ContentProps) {
  const send = useMutation({ mutationFn: () => remove(customer), onSuccess: onClose });
  return (
    <DialogForm
      error={send.error}
      submit={words.delete}
      onSubmit={() => !send.isPending && send.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{words.deleteText}</Text>
    </DialogForm>
  );
}
