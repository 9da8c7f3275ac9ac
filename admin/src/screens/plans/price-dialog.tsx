import { Alert, Input, SegmentedControl, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { PlanJson } from '../../contract.ts';
import { Dialog, DialogForm } from '../../parts/dialog.tsx';
import { ErrorAlert, fieldProps } from '../../parts/form.tsx';
import { tomorrow } from '../../parts/tomorrow.ts';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { changePrice } from './plan-actions.ts';
import { priceInput } from './price-input.ts';
import { words } from './words.ts';

interface PriceDialogProps {
  /** The plan whose price changes; undefined while the dialog is closed. */
  readonly plan: PlanJson | undefined;
  readonly onClose: () => void;
}

/** Changes the price of a plan: asks which customers it concerns, and shows the effect. */
export function PriceDialog({ plan, onClose }: PriceDialogProps) {
  return (
    <Dialog opened={plan !== undefined} onClose={onClose} title={plan && words.changePriceOf(plan.name)} centered>
      {plan && <Price plan={plan} onClose={onClose} />}
    </Dialog>
  );
}

const MAX_NAME_CHARACTERS = 255;

function Price({ plan, onClose }: { plan: PlanJson; onClose: () => void }) {
  const name = `${plan.name} ${new Date().getFullYear()}`.slice(-MAX_NAME_CHARACTERS);
  const form = useUnsaved(`price of plan ${plan.id}`, { price: '', name, whom: 'new', day: tomorrow() });
  const { whom, day } = form.values;
  const price = priceInput(form.values.price);
  const send = useMutation({
    mutationFn: () => changePrice(plan, { name: form.values.name, price, day: whom === 'all' ? day : null }),
    onSuccess: () => {
      form.done(form.values);
      onClose();
    },
  });
  const field = fieldProps(form, send.error);
  return (
    <DialogForm
      error={send.error}
      submit={words.changePrice}
      onSubmit={() => !send.isPending && send.mutate()}
      onClose={onClose}
    >
      {form.notice}
      <Text size="sm">{words.changePriceText}</Text>
      <TextInput
        label={words.newPrice(plan)}
        description={words.priceNow(plan)}
        required
        inputMode="decimal"
        data-autofocus
        {...field('price')}
      />
      <TextInput label={words.newName} required maxLength={MAX_NAME_CHARACTERS} {...field('name')} />
      <Input.Wrapper label={words.whom} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={words.whom}
          data={words.whoms}
          value={whom}
          onChange={(value) => form.set({ whom: value })}
        />
      </Input.Wrapper>
      {whom === 'all' && (
        <>
          <TextInput type="date" label={words.priceDay} min={tomorrow()} required {...field('day')} />
          <Preview plan={plan} price={price} />
        </>
      )}
    </DialogForm>
  );
}

/** Shows how many customers move to the new price, and what they will pay. */
function Preview({ plan, price }: { plan: PlanJson; price: string }) {
  const { data, error } = useQuery({
    queryKey: ['price change', plan.id, price],
    queryFn: ({ signal }) => api.previewPriceChange(plan.id, price, signal),
    enabled: /^\d{1,7}(?:\.\d{1,2})?$/.test(price),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  if (error) return <ErrorAlert error={error} />;
  if (!data) return null;
  return (
    <Alert variant="light" role="status">
      <Text size="sm">{words.moves(data)}</Text>
      {data.others > 0 && <Text size="sm">{words.others(data.others)}</Text>}
    </Alert>
  );
}
