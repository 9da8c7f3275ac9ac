import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomerJson } from '../../../contract.ts';
import { Dialog, DialogForm } from '../../../parts/dialog.tsx';
import { ErrorAlert } from '../../../parts/form.tsx';
import { chosenPlan, PlanField, ReasonField, WhenField } from '../action-fields.tsx';
import { usePlans } from '../use-plans.ts';
import { ManyPreview } from './many-preview.tsx';
import { ManyProgress } from './many-progress.tsx';
import { type ManyAction, type ManyKind, previewChanges } from './preview-changes.ts';
import { useManyChanges } from './use-many-changes.ts';
import { words } from './words.ts';

interface ManyDialogProps {
  /** The action of the dialog; undefined while it is closed. */
  readonly kind: ManyKind | undefined;
  /** Returns or loads the selected customers. */
  readonly read: (signal: AbortSignal) => readonly CustomerJson[] | Promise<readonly CustomerJson[]>;
  readonly onClose: () => void;
  /** Called when the dialog is closed after customers were changed. */
  readonly onDone: () => void;
}

/** Changes the selected customers: asks for details, shows a preview, makes the changes, and offers to undo them. */
export function ManyDialog({ kind, read, onClose, onDone }: ManyDialogProps) {
  const running = useManyChanges();
  const close = () => {
    // The first attempt to close stops the running changes, and the dialog shows what was done.
    if (running.isBusy) return running.stop();
    if (running.state) onDone();
    running.reset();
    onClose();
  };
  return (
    <Dialog opened={kind !== undefined} onClose={close} title={kind && words.titles[kind]} centered>
      {kind && (running.state ? <ManyProgress {...running} state={running.state} onClose={close} /> : null)}
      {kind && !running.state && <Ask kind={kind} read={read} onStart={running.start} onClose={close} />}
    </Dialog>
  );
}

interface AskProps extends Pick<ManyDialogProps, 'read' | 'onClose'> {
  readonly kind: ManyKind;
  readonly onStart: ReturnType<typeof useManyChanges>['start'];
}

function Ask({ kind, read, onStart, onClose }: AskProps) {
  const { data: customers, error } = useQuery({
    queryKey: ['selected customers'],
    queryFn: ({ signal }) => read(signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const plans = usePlans(kind === 'plan')?.filter(({ retiredAt }) => retiredAt === null) ?? [];
  const [planId, choosePlan] = useState<string>();
  const [day, setDay] = useState<string>();
  const [reason, setReason] = useState('');
  const plan = chosenPlan(plans, planId);
  const action = actionOf(kind === 'plan' && day !== undefined ? 'schedule' : kind, { planId: plan?.id, day, reason });
  const preview = action && customers && previewChanges(action, customers);
  return (
    <DialogForm
      submit={words.submit[action?.kind ?? kind]}
      dismiss={kind === 'unschedule' ? words.keepScheduled : undefined}
      isIncomplete={!preview || preview.changes.length === 0}
      onSubmit={() => preview && onStart(action.kind, preview, customers)}
      onClose={onClose}
    >
      <ErrorAlert error={error} />
      {kind === 'suspend' && <Text size="sm">{words.suspendText}</Text>}
      {kind === 'delete' && <Text size="sm">{words.deleteText}</Text>}
      {kind === 'plan' && <PlanField plans={plans} chosen={plan} onChoose={choosePlan} />}
      {kind === 'plan' && <WhenField day={day} onChange={setDay} />}
      {kind === 'suspend' && <ReasonField value={reason} onChange={setReason} />}
      {preview && <ManyPreview kind={action.kind} preview={preview} customers={customers} />}
      {!customers && !error && <Text role="status">{words.reading}</Text>}
    </DialogForm>
  );
}

interface Given {
  readonly planId: number | undefined;
  readonly day: string | undefined;
  readonly reason: string;
}

/** Returns the action from the input, or undefined while the input is incomplete. */
function actionOf(kind: ManyKind, { planId, day, reason }: Given): ManyAction | undefined {
  if (kind === 'suspend') return { kind, reason };
  if (kind === 'plan') return planId === undefined ? undefined : { kind, planId };
  if (kind === 'schedule') return planId === undefined || !day ? undefined : { kind, planId, day };
  return { kind };
}
