import { Button, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { ModalCover } from '../../parts/cover.tsx';
import { ErrorAlert } from '../../parts/form.tsx';
import { askSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { endVisit } from '../../visit.ts';
import { Card } from './card.tsx';

const words = strings.visit;

/** Shows that the visit to a customer's account is over. The user returns to the agency's own account only by the button. */
export function VisitOver() {
  const end = useMutation({ mutationFn: endVisit });
  return (
    <Card title={words.overTitle} text={words.overText}>
      <Text size="sm">{words.overAdvice}</Text>
      <ErrorAlert error={end.error} />
      <Button fullWidth size="md" loading={end.isPending || end.isSuccess} onClick={() => end.mutate()}>
        {words.back}
      </Button>
    </Card>
  );
}

/** Covers the customer's screens that are still open after the visit. */
export function VisitOverCover() {
  // If the visit was ended in another tab, this tab follows.
  useWindowEvent('focus', () => void askSession().catch(() => {}));
  return (
    <ModalCover label={words.overTitle}>
      <VisitOver />
    </ModalCover>
  );
}
