import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../api.ts';
import { filledLater } from '../../before-app/filled-later.ts';
import { ErrorAlert } from '../../parts/form.tsx';
import { queryClient } from '../../queries.ts';
import { strings } from '../../strings.ts';
import { Card } from './card.tsx';
import classes from './sign-in.module.css';
import { isLinkGone, useMailedLink } from './use-mailed-link.ts';

const words = strings.confirmEmail;

/** The screen of a mailed link that confirms an e-mail address. It has a button, because mail scanners open links, too. */
export default function ConfirmEmail() {
  const { token, link } = useMailedLink();
  const confirm = useMutation({
    mutationFn: () => api.confirmEmail(token!),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['session'] }),
  });
  const place = useRef<HTMLSpanElement>(null);
  const text = link.data && words.text(link.data.email);
  useEffect(() => {
    // Usually the script in the page has set the text already.
    if (text && place.current && place.current.textContent !== text) place.current.textContent = text;
  }, [text]);
  // A full page load, which requests the session again and opens the right first screen.
  const goOn = (
    <Button component="a" href="/" size="md">
      {words.go}
    </Button>
  );
  if (confirm.data) {
    return (
      <Card title={words.doneTitle}>
        <Text style={{ overflowWrap: 'anywhere' }}>{words.done(confirm.data.email)}</Text>
        {goOn}
      </Card>
    );
  }
  if (isLinkGone(token, link.error, confirm.error)) {
    return (
      <Card title={words.goneTitle}>
        <Text>{words.gone}</Text>
        {goOn}
      </Card>
    );
  }
  return (
    <Card
      title={words.title}
      text={<span ref={place} className={classes.address} data-words={words.text('…')} {...filledLater} />}
    >
      <Stack gap="md">
        <ErrorAlert error={confirm.error ?? link.error} />
        <Button disabled={!link.data} loading={confirm.isPending} onClick={() => confirm.mutate()} fullWidth size="md">
          {words.submit}
        </Button>
      </Stack>
    </Card>
  );
}
