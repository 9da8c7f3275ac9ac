import { Anchor, Button, Divider, Loader, PasswordInput, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ChevronRight, Fingerprint } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { api } from '../../api.ts';
import { ApiError, isSignedOut } from '../../api-error.ts';
import type { SignedInJson, SignInInput, SignInJson } from '../../contract.ts';
import { explain, explainRefusal } from '../../explain.ts';
import { firstPath, firstPathAfter } from '../../first-screen.ts';
import { ownPath } from '../../own-path.ts';
import { focusAndSelect } from '../../parts/focus-and-select.ts';
import { ErrorAlert, Form } from '../../parts/form.tsx';
import { explainPasskey } from '../../passkeys.ts';
import { strings } from '../../strings.ts';
import { Card } from './card.tsx';
import classes from './sign-in.module.css';
import { SiteField } from './site-field.tsx';
import { useEarlySubmit } from './use-early-submit.ts';
import { usePasskey } from './use-passkey.ts';

const words = strings.signIn;

/** The sign-in screen: by password, by passkey, or by a link that the operator has created. */
export function SignIn() {
  const [search] = useSearchParams();
  const account = search.get('account') ?? undefined;
  const byLink = useMutation({
    mutationFn: async (token: string) => {
      await api.signInByLink(token);
      return api.sessionNow();
    },
    onSuccess: (session) => location.replace(session.user.hasPassword ? firstPath(session) : '/welcome'),
  });
  const { mutate: followLink } = byLink;
  useEffect(() => {
    const token = new URLSearchParams(location.hash.slice(1)).get('token');
    if (token) followLink(token);
  }, [followLink]);
  return (
    <SignInForm
      account={account}
      title={words.title}
      text={account ? words.textFor(account) : words.text}
      isBusy={byLink.isPending || byLink.isSuccess}
      wrong={byLink.error ? words.wrongLink : undefined}
      onSignedIn={(answer) => {
        // Loads a new document, without data that another user left in memory. It replaces this one in the history.
        location.replace(ownPath(search.get('then'), location.origin, firstPathAfter(answer)));
        return new Promise(() => {});
      }}
    >
      {(email) => (
        <Link href={forgottenPath(account)} state={{ email }} asChild>
          <Anchor size="sm">{words.forgotten}</Anchor>
        </Link>
      )}
    </SignInForm>
  );
}

interface SignInFormProps {
  /** The subdomain of the site, if it is known. */
  readonly account: string | undefined;
  readonly title: string;
  readonly text: string;
  readonly isBusy?: boolean;
  /** An error from before anything was entered. */
  readonly wrong?: string | undefined;
  /** Called after signing in. The form waits for the promise, and shows its error. */
  readonly onSignedIn: (answer: SignedInJson) => Promise<unknown>;
  /** Links below the form, for the address typed so far. */
  readonly children: (email: string) => ReactNode;
}

/** Asks for e-mail address and password, and then, if needed, for one of several sites or the second factor. */
export function SignInForm(props: SignInFormProps) {
  const { account, title, text, isBusy = false, wrong: wrongBefore, onSignedIn, children } = props;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [site, setSite] = useState('');
  /** True once the account in the URL is known: the first rendering is that of the build, which has no URL. */
  const [isReady, setReady] = useState(false);
  const form = useEarlySubmit(isReady, () => submit());
  /** The field for the password, or for the code once the password is right. */
  const secretField = useRef<HTMLInputElement>(null);
  // The form shows before hydration, so values typed or filled in until now count. React must not control the fields: it may not
  // hear of values that the browser or a program fills in, and would remove them with the next rendering.
  useEffect(() => {
    const field = fieldOf(form.ref.current, 'username');
    if (field && field.value === '') field.value = broughtEmail();
    setEmail(field?.value ?? '');
    setReady(true);
  }, []);
  const [sites, setSites] = useState<Extract<SignInJson, { choose: unknown }>['choose']>();
  const finish = async (answer: SignInJson) => {
    if ('choose' in answer) setSites(answer.choose);
    else await onSignedIn(answer);
    return answer;
  };
  const signIn = useMutation({
    mutationFn: async (input: SignInInput) => finish(await api.signIn(input)),
    onError: (error) => {
      setSites(undefined);
      if (isSignedOut(error)) focusAndSelect(secretField.current);
    },
  });
  const passkey = usePasskey(account, finish);
  const answer = signIn.data;
  const needsCode = signIn.error instanceof ApiError && signIn.error.code === 'second_factor';
  const [askingCode, setAskingCode] = useState(false);
  if (needsCode && !askingCode) setAskingCode(true);

  // If an address has many sites with different passwords, the service does not try all of them, but only the named site.
  const isWrong = signIn.error instanceof ApiError && signIn.error.code === 'unauthorized';
  const [askingSite, setAskingSite] = useState(false);
  if (isWrong && account === undefined && !askingSite) setAskingSite(true);

  const submit = () => {
    passkey.reset();
    const chosen = (askingCode ? signIn.variables?.account : site.trim()) || account;
    const entered = askingCode
      ? { email, password, code: fieldValue(form.ref.current, 'one-time-code') }
      : { email: fieldValue(form.ref.current, 'username'), password: fieldValue(form.ref.current, 'current-password') };
    setEmail(entered.email);
    setPassword(entered.password);
    signIn.mutate({ ...entered, ...(chosen && { account: chosen }) });
  };

  const busy = isBusy || signIn.isPending || (answer !== undefined && 'signedIn' in answer);
  if (sites) {
    const choose = (subdomain: string) => signIn.mutate({ email, password, account: subdomain });
    return (
      <SiteChoice sites={sites} chosen={busy ? signIn.variables?.account : undefined} isBusy={busy} onChoose={choose} />
    );
  }

  const passkeyWrong = passkey.error ? passkeyFailure(passkey.error) : signIn.error ? undefined : wrongBefore;
  const isFirstQuestion = needsCode && signIn.variables?.code === undefined;
  const wrong = signIn.error && !isFirstQuestion ? failureOf(signIn.error, askingCode) : passkeyWrong;
  return (
    <Card title={title} text={text}>
      <Form {...form} className={classes.form}>
        <ErrorAlert error={wrong}>{wrong}</ErrorAlert>
        {askingCode ? (
          <TextInput
            ref={secretField}
            label={words.code}
            description={words.codeHelp}
            autoComplete="one-time-code"
            inputMode="text"
            required
            autoFocus
          />
        ) : (
          <>
            <TextInput
              label={words.email}
              type="email"
              autoComplete="username webauthn"
              required
              autoFocus
              defaultValue={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <PasswordInput
              ref={secretField}
              label={words.password}
              autoComplete="current-password"
              required
              defaultValue={password}
            />
            {askingSite && (
              <SiteField label={words.site} description={words.siteHelp} value={site} onChange={setSite} />
            )}
          </>
        )}
        <Button
          type="submit"
          className={classes.submit}
          data-submitting={words.submitting}
          loading={busy}
          fullWidth
          size="md"
        >
          {words.submit}
        </Button>
        {passkey.isPossible !== false && !askingCode && (
          <>
            <Divider label={words.or} />
            <Button
              variant="default"
              fullWidth
              size="md"
              disabled={!passkey.isPossible}
              leftSection={<Fingerprint size={18} aria-hidden />}
              loading={passkey.isPending || passkey.isSuccess}
              onClick={() => {
                signIn.reset();
                passkey.mutate(undefined);
              }}
            >
              {words.passkey}
            </Button>
          </>
        )}
        {children(email)}
      </Form>
    </Card>
  );
}

interface SiteChoiceProps {
  readonly sites: readonly { readonly subdomain: string; readonly name: string }[];
  readonly chosen: string | undefined;
  readonly isBusy: boolean;
  readonly onChoose: (subdomain: string) => void;
}

/** Asks which of the user's sites to sign in to. */
function SiteChoice({ sites, chosen, isBusy, onChoose }: SiteChoiceProps) {
  return (
    <Card title={words.chooseTitle} text={words.chooseText}>
      <Stack gap="xs">
        {sites.map(({ subdomain, name }) => (
          <UnstyledButton
            key={subdomain}
            className={classes.site}
            disabled={isBusy}
            onClick={() => onChoose(subdomain)}
          >
            <span>
              <Text fw={600}>{name}</Text>
              <Text size="sm" c="dimmed">
                {subdomain}
              </Text>
            </span>
            {chosen === subdomain ? <Loader size={18} aria-hidden /> : <ChevronRight size={18} aria-hidden />}
          </UnstyledButton>
        ))}
      </Stack>
    </Card>
  );
}

/** Returns the value of the field with this `autocomplete` attribute. */
function fieldValue(form: HTMLFormElement | null, autoComplete: string): string {
  return fieldOf(form, autoComplete)?.value ?? '';
}

function fieldOf(form: HTMLFormElement | null, autoComplete: string): HTMLInputElement | null | undefined {
  return form?.querySelector<HTMLInputElement>(`[autocomplete^=${autoComplete}]`);
}

/** Returns the e-mail address that was typed into the form from which the user comes. */
export function broughtEmail(): string {
  return (history.state as { email?: string } | null)?.email ?? '';
}

/** Returns the path of the screen for a forgotten password. */
export function forgottenPath(account: string | undefined): string {
  return account ? `/forgotten-password?account=${encodeURIComponent(account)}` : '/forgotten-password';
}

function failureOf(error: Error, withCode: boolean): string {
  if (!(error instanceof ApiError)) return explain(error);
  if (error.status === 401) return withCode ? words.wrongCode : words.wrong;
  if (error.status === 429 && !withCode) return words.tooMany(explain(error));
  return explain(error);
}

/** Returns the message for a failed sign-in with a passkey, as specific as the error is. */
function passkeyFailure(error: Error): string {
  const why = error instanceof ApiError ? error.why : undefined;
  return explainPasskey(error) ?? (why ? explainRefusal(why) : failureOf(error, false));
}
