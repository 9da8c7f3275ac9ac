import { Anchor, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { api } from '../../api.ts';
import { firstPathAfter } from '../../first-screen.ts';
import { Form, fieldProps, NewPasswordInput, useFields } from '../../parts/form.tsx';
import { strings } from '../../strings.ts';
import { Card } from './card.tsx';
import { useEarlySubmit } from './use-early-submit.ts';
import { isLinkGone, useMailedLink } from './use-mailed-link.ts';

const words = strings.newPassword;

/** The screen of a mailed link at which the user chooses a password. */
export function NewPassword() {
  const { token, link } = useMailedLink();
  const fields = useFields({ password: '' });
  const save = useMutation({
    mutationFn: () => api.resetPassword({ token: token!, ...fields.values }),
    // If the user is not signed in yet, a second factor is still needed.
    onSuccess: (answer) => location.replace(answer.signedIn ? firstPathAfter(answer) : '/sign-in'),
  });
  const form = useEarlySubmit(Boolean(token), save.mutate);
  // The form shows before hydration, so text typed until now counts.
  useEffect(() => {
    const field = form.ref.current!.querySelector<HTMLInputElement>('[autocomplete=new-password]');
    fields.set({ password: field?.value ?? '' });
  }, []);
  if (isLinkGone(token, link.error, save.error)) {
    return (
      <Card title={words.goneTitle}>
        <Text>{words.gone}</Text>
        <Button component={Link} href="/forgotten-password" size="md">
          {words.again}
        </Button>
        <Anchor href="/" ta="center">
          {words.go}
        </Anchor>
      </Card>
    );
  }
  const field = fieldProps(fields, save.error);
  return (
    <Card
      title={link.data?.purpose === 'invitation' ? words.invitationTitle(link.data.accountName) : words.resetTitle}
      // An empty line reserves its height, so that nothing moves when the text appears.
      text={link.data ? words.text(link.data.email) : '\u00a0'}
    >
      <Form {...form} error={save.error}>
        <input type="email" autoComplete="username" value={link.data?.email ?? ''} readOnly hidden />
        <NewPasswordInput label={words.password} description={words.passwordHelp} autoFocus {...field('password')} />
        <Button type="submit" loading={save.isPending || save.isSuccess} fullWidth size="md">
          {words.submit}
        </Button>
      </Form>
    </Card>
  );
}
