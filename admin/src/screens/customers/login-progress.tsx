import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Circle, CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api.ts';
import { showError } from '../../explain.ts';
import { Section } from '../../parts/section.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { showDone } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { useMay, useSession } from '../../session.ts';
import { formatTime } from '../../times.ts';
import classes from './customer.module.css';
import { words } from './customer-words.ts';
import type { LoginState, Stage } from './login-state.ts';
import { ResendDialog } from './resend-dialog.tsx';
import { ServerWords } from './server-words.tsx';

interface LoginProgressProps extends LoginState {
  readonly customerId: number;
}

/** Shows the state of the login instructions, and offers to send them again. */
export function LoginProgress({ customerId, stage, person, message, linkWorksUntil }: LoginProgressProps) {
  const mayManage = useMay('manage_customers');
  const { agency } = useSession();
  const [isCorrecting, setCorrecting] = useState(false);
  const again = useMutation({
    mutationFn: () => api.resendInstructions(customerId, {}),
    onSuccess: ({ email }) => showDone(words.login.onItsWay(email)),
    onError: (error) => showError(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['customer', customerId] }),
  });
  return (
    <Section title={words.login.title}>
      <Steps stage={stage} isOpened={person.openedLinkAt !== null} />
      <Text size="sm" role="status">
        {words.login.texts[stage](person.email, formatTime(linkWorksUntil ?? 0), agency)}
      </Text>
      {(stage === 'failed' || stage === 'retrying') && <ServerWords text={message?.lastError} />}
      {stage !== 'signedIn' && mayManage && (
        <Group gap="xs" mt="md">
          <Button size="xs" loading={again.isPending} onClick={() => again.mutate()}>
            {words.login.again}
          </Button>
          {!person.hasSignedIn && <SmallButton onClick={() => setCorrecting(true)}>{words.login.correct}</SmallButton>}
        </Group>
      )}
      <ResendDialog
        opened={isCorrecting}
        customerId={customerId}
        email={person.email}
        onClose={() => setCorrecting(false)}
      />
    </Section>
  );
}

const steps = ['queued', 'sent', 'opened', 'signedIn'] as const;

/** How many steps are completed at each stage. */
const taken: Readonly<Record<Stage, number>> = {
  none: 0,
  queued: 1,
  retrying: 1,
  failed: 1,
  kept: 2,
  expired: 2,
  sent: 2,
  signedIn: 4,
};

function Steps({ stage, isOpened }: { stage: Stage; isOpened: boolean }) {
  // A user who got a password when the customer was created can sign in without the link.
  const shown = steps.filter((step) => step !== 'opened' || stage !== 'signedIn' || isOpened);
  return (
    <ol className={classes.steps}>
      {shown.map((step) => {
        const index = steps.indexOf(step);
        const isTaken = index < taken[stage];
        const isFailed = step === 'sent' && stage === 'failed';
        const Icon = isFailed ? CircleX : isTaken ? CircleCheck : Circle;
        return (
          <Text
            key={step}
            component="li"
            className={classes.step}
            c={isFailed ? 'var(--mantine-color-error)' : isTaken ? undefined : 'dimmed'}
            aria-current={index === (stage === 'failed' ? 1 : taken[stage] - 1) ? 'step' : undefined}
          >
            <Icon size={16} aria-hidden />
            {words.login[step === 'sent' && (stage === 'failed' || stage === 'kept') ? stage : step]}
          </Text>
        );
      })}
    </ol>
  );
}
