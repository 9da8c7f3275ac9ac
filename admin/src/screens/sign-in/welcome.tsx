import { Anchor, Button, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, Redirect } from 'wouter';
import { api } from '../../api.ts';
import { isSignedOut } from '../../api-error.ts';
import { firstPath } from '../../first-screen.ts';
import { ErrorAlert, Form, fieldProps, NewPasswordInput, useFields } from '../../parts/form.tsx';
import { Fields } from '../../parts/once-known.tsx';
import { sessionQuery, unknownSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { Card } from './card.tsx';

const words = strings.welcome;

/** Asks a user who came by the operator's link and has no password for name, e-mail address and password. */
export default function Welcome() {
  const session = useQuery(sessionQuery);
  const user = session.data?.user;
  const next = firstPath(session.data ?? unknownSession);
  const fields = useFields({ name: '', email: '', password: '' });
  // The first start invents a name and an address, which the form does not propose.
  const isMadeUp = user?.email.endsWith('@localhost');
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!user) return;
    if (!isMadeUp) fields.set({ name: user.name, email: user.email });
    // The field was disabled until now, so it could not have the focus.
    first.current?.focus();
  }, [user]);
  const save = useMutation({
    mutationFn: () => api.completeUser(fields.values),
    onSuccess: () => location.replace(next),
  });
  if (isSignedOut(session.error)) return <Redirect to="/sign-in" replace />;
  if (user?.hasPassword) return <Redirect to={next} replace />;
  const field = fieldProps(fields, save.error);
  return (
    <Card title={words.title} text={words.text}>
      <Form onSubmit={save.mutate} error={save.error}>
        <ErrorAlert error={session.error} />
        <Fields isKnown={user !== undefined}>
          <TextInput ref={first} label={words.name} autoComplete="name" required {...field('name')} />
          <TextInput label={words.email} type="email" autoComplete="username" required {...field('email')} />
          <NewPasswordInput label={words.password} description={words.passwordHelp} {...field('password')} />
          <Button type="submit" loading={save.isPending || save.isSuccess} fullWidth size="md">
            {words.submit}
          </Button>
        </Fields>
        <Anchor component={Link} href={next} size="sm">
          {words.later}
        </Anchor>
      </Form>
    </Card>
  );
}
