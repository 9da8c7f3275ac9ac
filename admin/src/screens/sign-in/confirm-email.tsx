import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { ApiError, api } from '../../api.ts';
import { filledLater } from '../../before-app/filled-later.ts';
import { explain } from '../../explain.ts';
import { queryClient } from '../../queries.ts';
import { strings } from '../../strings.ts';
import { Card } from './card.tsx';
import classes from './sign-in.module.css';

const words = strings.confirmEmail;

/**
 * What the link leads to that is mailed to a new address. It counts with a button, and not when it is opened: programs that
 * look through mail open links, too.
 */
export default function ConfirmEmail() {
  const [token, setToken] = useState<string>();
  useEffect(() => setToken(new URLSearchParams(location.hash.slice(1)).get('token') ?? ''), []);
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => api.oneTimeLink(token!),
    enabled: Boolean(token),
    retry: false,
  });
  const confirm = useMutation({
    mutationFn: () => api.confirmEmail(token!),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['session'] }),
  });
  const place = useRef<HTMLSpanElement>(null);
  const text = link.data && words.text(link.data.email);
  useEffect(() => {
    // The script in the page has put it there, mostly.
    if (text && place.current && place.current.textContent !== text) place.current.textContent = text;
  }, [text]);
  const pages = (
    <Anchor component={Link} href="/pages">
      {words.go}
    </Anchor>
  );
  if (confirm.data) {
    return (
      <Card title={words.doneTitle}>
        <Text style={{ overflowWrap: 'anywhere' }}>{words.done(confirm.data.email)}</Text>
        {pages}
      </Card>
    );
  }
  const isGone = [link.error, confirm.error].some((error) => error instanceof ApiError && error.status === 404);
  if (isGone || token === '') {
    return (
      <Card title={words.goneTitle}>
        <Text>{words.gone}</Text>
        {pages}
      </Card>
    );
  }
  const error = confirm.error ?? link.error;
  return (
    <Card
      title={words.title}
      text={<span ref={place} className={classes.address} data-words={words.text('…')} {...filledLater} />}
    >
      <Stack gap="md">
        {error && (
          <Alert color="red" variant="light" role="alert">
            {explain(error)}
          </Alert>
        )}
        <Button disabled={!link.data} loading={confirm.isPending} onClick={() => confirm.mutate()} fullWidth size="md">
          {words.submit}
        </Button>
      </Stack>
    </Card>
  );
}
