import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import classes from './customer.module.css';
import { words } from './customer-words.ts';

/** A button that shows the sent text of login instructions. */
export function MessageText({ id, subject }: { id: number; subject: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <SmallButton onClick={() => setOpened(true)} aria-label={words.readMessageOf(subject)}>
        {words.readMessage}
      </SmallButton>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={subject} size="lg" centered>
        {opened && <Message id={id} />}
      </Dialog>
    </>
  );
}

function Message({ id }: { id: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['customer message', id],
    queryFn: () => api.customerMessage(id),
  });
  if (error) return <ErrorNotice error={error} onRetry={refetch} />;
  if (!data) return <Skeleton h={200} radius="md" opacity={0.4} />;
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {words.messageMasked(data.to)}
      </Text>
      <pre className={classes.message}>{data.text.trimEnd()}</pre>
    </>
  );
}
