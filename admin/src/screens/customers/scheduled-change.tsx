import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomerDetailsJson, ScheduledChangeJson } from '../../contract.ts';
import { ErrorAlert } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { useMay } from '../../session.ts';
import { PlanDialog } from './action-dialogs.tsx';
import { words } from './action-words.ts';
import { cancelScheduled } from './customer-changes.ts';

interface ScheduledChangeProps {
  readonly customer: CustomerDetailsJson;
  readonly scheduled: ScheduledChangeJson;
}

/** Shows which plan the customer gets and when, or why the change of plan failed. */
export function ScheduledChange({ customer, scheduled }: ScheduledChangeProps) {
  const mayManage = useMay('manage_customers');
  const [isChanging, setChanging] = useState(false);
  const cancel = useMutation({ mutationFn: () => cancelScheduled(customer, scheduled) });
  const { failure } = scheduled;
  return (
    <Section title={words.scheduledTitle}>
      <ErrorAlert error={cancel.error} mb="sm" />
      <Text c={failure === null ? undefined : 'var(--mantine-color-error)'}>
        {failure === null ? words.scheduledText(scheduled) : words.failedText(scheduled)}
      </Text>
      {failure !== null && <Text size="sm">{words.failures[failure]}</Text>}
      {mayManage && (
        <Group gap="xs" mt="md">
          {customer.deletesAt === null && (
            <Button size="xs" variant="default" onClick={() => setChanging(true)}>
              {failure === null ? words.changeSchedule : words.again}
            </Button>
          )}
          <SmallButton loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {failure === null ? words.cancelSchedule : words.dismiss}
          </SmallButton>
        </Group>
      )}
      <PlanDialog customer={customer} opened={isChanging} onClose={() => setChanging(false)} />
    </Section>
  );
}
