import { Alert, Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { ApiError, api } from '../../api.ts';
import { explain, fieldErrors } from '../../explain.ts';
import { strings } from '../../strings.ts';
import { Card } from './card.tsx';

const words = strings.newPassword;

/** What a link from a mail leads to. Its token is behind the #: browsers send that to nobody. */
export function NewPassword() {
  const [token, setToken] = useState<string>();
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => api.oneTimeLink(token!),
    enabled: Boolean(token),
    retry: false,
  });
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const form = useRef<HTMLFormElement>(null);
  // The form is there before the app is: what was written until now counts.
  useEffect(() => {
    const [first, second] = form.current!.querySelectorAll<HTMLInputElement>('[autocomplete=new-password]');
    setPassword(first?.value ?? '');
    setConfirmation(second?.value ?? '');
    setToken(new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  }, []);
  const save = useMutation({
    mutationFn: () => api.resetPassword({ token: token!, password, confirmation }),
    // A second factor is still to be asked for.
    onSuccess: ({ signedIn }) => location.replace(signedIn ? '/pages' : '/sign-in'),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const isGone = [link.error, save.error].some((error) => error instanceof ApiError && error.status === 404);
  if (isGone || token === '') {
    return (
      <Card title={words.goneTitle}>
        <Text>{words.gone}</Text>
        <Anchor component={Link} href="/pages">
          {words.go}
        </Anchor>
        <Anchor component={Link} href="/forgotten-password">
          {words.again}
        </Anchor>
      </Card>
    );
  }
  const wrong = fieldErrors(save.error);
  const site = link.data?.accountName;
  return (
    <Card
      title={link.data?.purpose === 'invitation' ? words.invitationTitle(site) : words.resetTitle}
      text={link.data ? words.text(link.data.email) : undefined}
    >
      <form ref={form} onSubmit={submit}>
        <Stack gap="md">
          {save.error && Object.keys(wrong).length === 0 && (
            <Alert color="red" variant="light" role="alert">
              {explain(save.error)}
            </Alert>
          )}
          <input type="email" autoComplete="username" value={link.data?.email ?? ''} readOnly hidden />
          <PasswordInput
            label={words.password}
            description={words.passwordHelp}
            autoComplete="new-password"
            required
            minLength={8}
            autoFocus
            error={wrong.password}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': strings.signIn.showPassword, tabIndex: 0 }}
          />
          <PasswordInput
            label={words.confirmation}
            autoComplete="new-password"
            required
            error={wrong.confirmation}
            value={confirmation}
            onChange={(event) => setConfirmation(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': strings.signIn.showPassword, tabIndex: 0 }}
          />
          <Button type="submit" disabled={!token} loading={save.isPending || save.isSuccess} fullWidth size="md">
            {words.submit}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
