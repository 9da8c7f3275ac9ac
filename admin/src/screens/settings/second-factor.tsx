import {
  Alert,
  Anchor,
  Button,
  Code,
  Group,
  Paper,
  PasswordInput,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { explain, fieldErrors } from '../../explain.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { focusAndSelect } from '../../parts/focus-and-select.ts';
import { showDone } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';

const QrCode = lazy(() => import('./qr-code.tsx'));

const words = strings.settings.secondFactor;
const refresh = () => queryClient.invalidateQueries({ queryKey: ['session'] });

/** Codes from an authenticator app, asked for in addition to the password. */
export function SecondFactor() {
  const { user } = useSession();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const start = useMutation({ mutationFn: () => api.startSecondFactor(password), onSuccess: () => setPassword('') });
  const codeField = useRef<HTMLInputElement>(null);
  const confirm = useMutation({
    mutationFn: () => api.confirmSecondFactor(code),
    onSuccess: refresh,
    onError: (error) => 'code' in fieldErrors(error) && focusAndSelect(codeField.current),
  });
  const remove = useMutation({
    mutationFn: () => api.removeSecondFactor(password),
    onSuccess: () => {
      setPassword('');
      start.reset();
      confirm.reset();
      showDone(words.removed);
      return refresh();
    },
  });
  const error = start.error ?? confirm.error ?? remove.error;
  const wrong = fieldErrors(error);
  const codes = confirm.data?.recoveryCodes;
  const submit = (act: () => void) => (event: FormEvent) => {
    event.preventDefault();
    act();
  };
  const isSettingUp = start.data !== undefined && !codes && !user.hasSecondFactor;
  return (
    <Paper p="lg" component="section" aria-labelledby="factor-title">
      <Title order={2} size="h4" id="factor-title" mb="xs">
        {words.title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {user.hasSecondFactor ? words.on : words.off}
      </Text>
      {error && Object.keys(wrong).length === 0 && (
        <Alert color="red" variant="light" role="alert" mb="md">
          {explain(error)}
        </Alert>
      )}
      {codes && (
        <Alert variant="light" color="ink" title={words.codes} mb="md">
          <Group align="flex-start" wrap="nowrap">
            <Code block>{codes.join('\n')}</Code>
            <CopyText text={codes.join('\n')} label={strings.copy} />
          </Group>
        </Alert>
      )}
      {isSettingUp ? (
        <form onSubmit={submit(() => confirm.mutate())}>
          <Stack>
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
              value={code}
              error={wrong.code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
            <Group>
              <Button type="submit" loading={confirm.isPending}>
                {words.confirm}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <form onSubmit={submit(() => (user.hasSecondFactor ? remove : start).mutate())}>
          <Group align="flex-end">
            {user.hasPassword && (
              <PasswordInput
                flex={1}
                label={words.current}
                autoComplete="current-password"
                required
                value={password}
                error={wrong.current}
                onChange={(event) => setPassword(event.currentTarget.value)}
                visibilityToggleButtonProps={{ 'aria-label': strings.signIn.showPassword, tabIndex: 0 }}
              />
            )}
            <Button type="submit" variant="default" loading={start.isPending || remove.isPending}>
              {user.hasSecondFactor ? words.remove : words.add}
            </Button>
          </Group>
        </form>
      )}
    </Paper>
  );
}
