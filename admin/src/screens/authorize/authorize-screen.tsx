import { Button, Checkbox, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { ApiError } from '../../api-error.ts';
import type { AssistantScope, AuthorizationJson, AuthorizeInput } from '../../contract.ts';
import { ErrorScreen } from '../../parts/error-notice.tsx';
import { Form } from '../../parts/form.tsx';
import { NotFound } from '../../parts/not-found.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { useIsKnown, useMay, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';

const words = strings.authorize;

/** The scope that is not selected at first: programs ask for all scopes, and this one affects other people's websites. */
const OPT_IN_SCOPE: AssistantScope = 'customers:write';

/** The screen that a program opens to get a key. It shows which program asks, and the user allows or refuses it. */
export default function AuthorizeScreen() {
  useTitle(words.title);
  const isKnown = useIsKnown();
  const { impersonation } = useSession();
  const may = useMay('update_settings') && impersonation === null;
  // During prerendering there is no URL. The query is serialized again, so that the service checks exactly what is sent to it below.
  const query = isKnown ? String(new URLSearchParams(location.search)) : '';
  const asked = useQuery({
    queryKey: ['authorization', query],
    queryFn: () => api.authorization(query),
    enabled: isKnown && may,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isKnown && !may) return <NotFound {...strings.settings.notForRole} />;
  if (asked.error instanceof ApiError && asked.error.status === 400) {
    return <NotFound title={words.wrongTitle} text={words.wrong} />;
  }
  if (asked.error) return <ErrorScreen error={asked.error} onRetry={asked.refetch} />;
  return (
    <Stack maw={560} gap="md">
      <Title order={1}>{words.title}</Title>
      {asked.data ? <Request asked={asked.data} query={query} /> : <Skeleton h={240} />}
    </Stack>
  );
}

function Request({ asked, query }: { asked: AuthorizationJson; query: string }) {
  const { account } = useSession();
  const [scopes, setScopes] = useState<string[]>(asked.scopes.filter((scope) => scope !== OPT_IN_SCOPE));
  const allow = useMutation({
    mutationFn: () =>
      api.authorize({ ...Object.fromEntries(new URLSearchParams(query)), scopes } as unknown as AuthorizeInput),
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <Form onSubmit={allow.mutate} error={allow.error}>
      <Text style={{ overflowWrap: 'anywhere' }}>{words.asks(asked.name, account.name)}</Text>
      <Text style={{ overflowWrap: 'anywhere' }}>{words.host(asked.host)}</Text>
      <Checkbox.Group label={words.scopes} value={scopes} onChange={setScopes}>
        <Stack gap="xs" mt="xs">
          {asked.scopes.map((scope: AssistantScope) => (
            <Checkbox key={scope} value={scope} label={words.scopeNames[scope]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Text c="dimmed">{words.until}</Text>
      <Group>
        <Button type="submit" disabled={scopes.length === 0} loading={allow.isPending || allow.isSuccess}>
          {words.submit}
        </Button>
        <Button variant="default" onClick={() => location.assign(asked.deniedUrl)}>
          {words.refuse}
        </Button>
      </Group>
    </Form>
  );
}
