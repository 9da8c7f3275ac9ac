import { Button, Group, NativeSelect, Paper, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'wouter';
import { api } from '../../api.ts';
import { fieldErrors } from '../../explain.ts';
import { Form, fieldProps } from '../../parts/form.tsx';
import { LanguageSelect } from '../../parts/language-select.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { queryClient } from '../../queries.ts';
import { useSession } from '../../session.ts';
import { newWords as words } from './new-customer-words.ts';
import { StartField, startOf } from './start-field.tsx';
import { SubdomainField } from './subdomain-field.tsx';
import { suggestSubdomain } from './suggest-subdomain.ts';

const empty = { name: '', subdomain: '', userName: '', email: '', planId: '', start: '' };

export function NewCustomerForm() {
  const { account } = useSession();
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const copied = Number(params.get('site') ?? 0);
  const form = useUnsaved(copied ? `copy of ${copied}` : 'new customer', {
    ...empty,
    start: copied ? `site ${copied}` : '',
    language: account.language,
  });
  const { values, set } = form;
  const plans = useQuery({ queryKey: ['plans'], queryFn: api.plans });
  const offered = plans.data?.plans.filter(({ retiredAt }) => retiredAt === null) ?? [];
  const planId = values.planId || String(offered.find(({ isDefault }) => isDefault)?.id ?? '');
  const create = useMutation({
    mutationFn: () => {
      const { start, ...rest } = values;
      return api.createCustomer({
        ...rest,
        ...startOf(start),
        // A copy has the language of its original.
        language: start === '' ? rest.language : undefined,
        planId: planId === '' ? undefined : Number(planId),
      });
    },
    onSuccess: ({ id }) => {
      form.done(values);
      navigate(`/customers/${id}`, { replace: true });
      // Reload the session, too: the menu shows “Customers” from the first one on.
      return Promise.all(
        [['session'], ['customers'], ['plans'], ['templates']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
  const field = fieldProps(form, create.error);
  const wrong = fieldErrors(create.error);
  const setName = (name: string) => {
    // A subdomain that the user has typed is not replaced by a suggestion.
    const isSuggested = values.subdomain === suggestSubdomain(values.name);
    set({ name, ...(isSuggested && { subdomain: suggestSubdomain(name) }) });
  };
  const submit = () => {
    if (!create.isPending) create.mutate();
  };
  return (
    <Paper p="lg" maw={560}>
      <Form onSubmit={submit} error={create.error} noValidate>
        {form.notice}
        <TextInput
          label={words.name}
          required
          maxLength={255}
          {...field('name')}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <SubdomainField
          value={values.subdomain}
          refusal={wrong.subdomain}
          onChange={(subdomain) => set({ subdomain })}
        />
        <NativeSelect
          label={words.plan}
          data={offered.map((plan) => ({ value: String(plan.id), label: words.planChoice(plan) }))}
          value={planId}
          error={wrong.planId}
          onChange={({ currentTarget: { value } }) => set({ planId: value })}
        />
        <StartField value={values.start} copied={copied} error={wrong.start} onChange={(start) => set({ start })} />
        {values.start === '' && (
          <LanguageSelect
            description={words.languageHelp}
            value={values.language}
            error={wrong.language}
            onChange={(language) => language !== null && set({ language })}
          />
        )}
        <div>
          <Title order={2} size="h4">
            {words.person}
          </Title>
          <Text size="sm" c="dimmed">
            {words.personText}
          </Text>
        </div>
        <TextInput label={words.userName} required maxLength={255} autoComplete="off" {...field('userName')} />
        <TextInput
          label={words.email}
          type="email"
          required
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          {...field('email')}
        />
        <Group>
          <Button type="submit" loading={create.isPending}>
            {words.submit}
          </Button>
        </Group>
      </Form>
    </Paper>
  );
}
