import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { PageJson, RedirectJson } from '../../contract.ts';
import { beside } from '../../parts/beside-input.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Form, FormError, fieldProps, useFields } from '../../parts/form.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { queryClient } from '../../queries.ts';
import { removeItem } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { strings } from '../../strings.ts';
import classes from './editor.module.css';

const words = strings.editor.settings.redirects;

interface RedirectsProps {
  readonly page: PageJson;
  readonly isReadOnly: boolean;
}

/** Lists the further addresses that redirect to a page. Changes here apply at once and are not part of the draft. */
export function Redirects({ page, isReadOnly }: RedirectsProps) {
  const key = ['redirects', page.id];
  // Publishing a new address adds the former one as a redirect, so the version is part of the key.
  const list = [...key, page.version];
  const redirects = useQuery({ queryKey: list, queryFn: () => api.redirects(page.id) });
  const form = useFields({ path: '' });
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const add = useMutation({
    mutationFn: () => api.addRedirect(page.id, form.values.path),
    onSuccess: () => {
      form.set({ path: '' });
      return refresh();
    },
  });
  const remove = (redirect: RedirectJson) =>
    runOptimisticWithUndo({
      about: key,
      show: () => removeItem(list, redirect),
      send: () => api.removeRedirect(redirect.id),
      sendBack: () => api.addRedirect(page.id, redirect.path),
      done: () => words.removed(redirect.path),
      undone: words.restored(redirect.path),
    });
  const { data } = redirects;
  return (
    <Stack gap="xs" component="section" aria-labelledby="redirects-label">
      <div>
        <Text size="sm" fw={500} id="redirects-label">
          {words.title}
        </Text>
        <Text size="xs" c="dimmed">
          {words.text}
        </Text>
      </div>
      {redirects.error && <ErrorNotice error={redirects.error} onRetry={redirects.refetch} />}
      {data?.redirects.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.empty}
        </Text>
      )}
      <ul className={classes.redirects}>
        {data?.redirects.map((redirect) => (
          <li key={redirect.id}>
            <div>
              <Text size="sm">{redirect.path}</Text>
              {redirect.isCovered && (
                <Text size="xs" c="dimmed">
                  {words.covered}
                </Text>
              )}
            </div>
            {!isReadOnly && (
              <SmallButton aria-label={words.removeOf(redirect.path)} onClick={() => remove(redirect)}>
                {words.remove}
              </SmallButton>
            )}
          </li>
        ))}
      </ul>
      {data?.hasMore && (
        <Text size="xs" c="dimmed">
          {words.more}
        </Text>
      )}
      {!isReadOnly && (
        <Form onSubmit={add.mutate} gap="xs">
          <FormError error={add.error} />
          {add.data?.formerPage != null && (
            <Text size="xs" role="status">
              {words.taken(add.data.path, add.data.formerPage)}
            </Text>
          )}
          <TextInput
            label={words.path}
            placeholder={words.placeholder}
            maxLength={2000}
            autoCapitalize="off"
            spellCheck={false}
            inputContainer={beside(
              <Button type="submit" variant="default" loading={add.isPending} disabled={form.values.path.trim() === ''}>
                {words.submit}
              </Button>,
            )}
            {...fieldProps(form, add.error)('path')}
          />
        </Form>
      )}
    </Stack>
  );
}
