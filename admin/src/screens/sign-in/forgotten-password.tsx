import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { api } from '../../api.ts';
import { ApiError } from '../../api-error.ts';
import { explain } from '../../explain.ts';
import { ErrorAlert, Form } from '../../parts/form.tsx';
import { strings } from '../../strings.ts';
import { Card } from './card.tsx';
import { broughtEmail } from './sign-in.tsx';
import { SiteField } from './site-field.tsx';
import { useEarlySubmit } from './use-early-submit.ts';

const words = strings.forgottenPassword;

/** Requests a link by mail. The response never tells whether the address is known. */
export function ForgottenPassword() {
  const [search] = useSearchParams();
  const account = search.get('account') ?? undefined;
  const [email, setEmail] = useState('');
  const [site, setSite] = useState('');
  const [isReady, setReady] = useState(false);
  const [emailField, siteField] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  // The form shows before hydration, so text typed until now counts. The build does not know the query, so it always renders the
  // field for the site. The field stays even if the query names the site: the button must not move under the user's pointer.
  useEffect(() => {
    setEmail(emailField.current?.value || broughtEmail());
    setSite(siteField.current?.value || new URLSearchParams(location.search).get('account') || '');
    setReady(true);
  }, []);
  const named = site.trim();
  const ask = useMutation({ mutationFn: () => api.forgottenPassword({ email, ...(named && { account: named }) }) });
  const form = useEarlySubmit(isReady, ask.mutate);
  const back = (
    <Link href={account ? `/sign-in?account=${encodeURIComponent(account)}` : '/sign-in'} state={{ email }} asChild>
      <Anchor size="sm">{words.back}</Anchor>
    </Link>
  );
  if (ask.isSuccess) {
    return (
      <Card title={words.sentTitle}>
        <Text role="status">{words.sentText(email)}</Text>
        {back}
      </Card>
    );
  }
  return (
    <Card title={words.title} text={words.text}>
      <Form {...form}>
        <ErrorAlert error={ask.error}>
          {explain(ask.error)}
          {ask.error instanceof ApiError && ask.error.status === 429 && words.tooMany}
        </ErrorAlert>
        <TextInput
          ref={emailField}
          label={words.email}
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <SiteField ref={siteField} label={words.site} description={words.siteHelp} value={site} onChange={setSite} />
        <Button type="submit" loading={ask.isPending} fullWidth size="md">
          {words.submit}
        </Button>
        {back}
      </Form>
    </Card>
  );
}
