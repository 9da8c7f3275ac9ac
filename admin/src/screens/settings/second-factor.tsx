import { Alert, Anchor, Button, Code, Group, Skeleton, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useRef } from 'react';
import { api } from '../../api.ts';
import { fieldErrors } from '../../explain.ts';
import { loadPart } from '../../load-part.ts';
import { beside } from '../../parts/beside-input.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { focusAndSelect } from '../../parts/focus-and-select.ts';
import { CurrentPassword, Form, FormError, fieldProps, useFields } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { showDone } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';

const QrCode = lazy(() => loadPart(() => import('./qr-code.tsx')));

const words = strings.settings.secondFactor;
const refresh = () => queryClient.invalidateQueries({ queryKey: ['session'] });

/** Sets up or removes the second factor: codes from an authenticator app, in addition to the password. */
export function SecondFactor() {
  const { user } = useSession();
  const form = useFields({ current: '', code: '' });
  const { current, code } = form.values;
  const clear = () => form.set({ current: '' });
  const start = useMutation({ mutationFn: () => api.startSecondFactor(current), onSuccess: clear });
  const codeField = useRef<HTMLInputElement>(null);
  const confirm = useMutation({
    mutationFn: () => api.confirmSecondFactor(code),
    onSuccess: refresh,
    onError: (error) => 'code' in fieldErrors(error) && focusAndSelect(codeField.current),
  });
  const remove = useMutation({
    mutationFn: () => api.removeSecondFactor(current),
    onSuccess: () => {
      clear();
      start.reset();
      confirm.reset();
      showDone(words.removed);
      return refresh();
    },
  });
  const error = start.error ?? confirm.error ?? remove.error;
  const field = fieldProps(form, error);
  const codes = confirm.data?.recoveryCodes;
  const isSettingUp = start.data !== undefined && !codes && !user.hasSecondFactor;
  const button = (
    <Button type="submit" variant="default" loading={start.isPending || remove.isPending}>
      {user.hasSecondFactor ? words.remove : words.add}
    </Button>
  );
  return (
    <Section title={words.title} text={user.hasSecondFactor ? words.on : words.off}>
      <FormError error={error} mb="md" />
      {codes && (
        <Alert variant="light" color="ink" title={words.codes} mb="md">
          <Group align="flex-start" wrap="nowrap">
            <Code block>{codes.join('\n')}</Code>
            <CopyText text={codes.join('\n')} label={strings.copy} />
          </Group>
        </Alert>
      )}
      {isSettingUp ? (
        <Form onSubmit={confirm.mutate}>
          <Text size="sm">
            {words.scan} <Anchor href={start.data.uri}>{words.open}</Anchor>
          </Text>
          <Suspense fallback={<Skeleton height={216} width={216} />}>
            <QrCode text={start.data.uri} label={words.qrCode} />
          </Suspense>
          <Text size="sm">{words.type}</Text>
          <Group gap="xs" wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere' }}>{start.data.secret}</Code>
            <CopyText text={start.data.secret} label={strings.copy} />
          </Group>
          <TextInput
            ref={codeField}
            label={words.code}
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            {...field('code')}
          />
          <Group>
            <Button type="submit" loading={confirm.isPending}>
              {words.confirm}
            </Button>
          </Group>
        </Form>
      ) : (
        <Form onSubmit={() => (user.hasSecondFactor ? remove : start).mutate()}>
          {user.hasPassword ? (
            <CurrentPassword inputContainer={beside(button)} {...field('current')} />
          ) : (
            <Group>{button}</Group>
          )}
        </Form>
      )}
    </Section>
  );
}
