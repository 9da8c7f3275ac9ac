import { Box, Button, Group, NativeSelect, Paper, SimpleGrid, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ListFilter } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { PlanJson, TemplateJson } from '../../contract.ts';
import type { useCustomerView } from './customer-view.ts';
import classes from './customers.module.css';
import { words } from './filter-words.ts';
import { usePlans } from './use-plans.ts';
import { useTemplates } from './use-templates.ts';

type CustomerFiltersProps = ReturnType<typeof useCustomerView> & {
  readonly isSearch: boolean;
  /** The search field, which stands beside the buttons. */
  readonly children: ReactNode;
  /** The CSV button, the last of the buttons. */
  readonly csv: ReactNode;
};

/** The search, the filters and the order of the list of customers. */
export function CustomerFilters({ view, set, clear, count, isSearch, children, csv }: CustomerFiltersProps) {
  const [isOpen, { toggle }] = useDisclosure(count > 0);
  const plans = usePlans(isOpen);
  const templates = useTemplates(isOpen);
  const id = useId();
  const field = (name: keyof typeof view) => ({
    value: view[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => set({ [name]: value }),
  });
  return (
    <>
      <Box mb="sm" className={classes.filters}>
        <Group>{children}</Group>
        <Button
          variant="default"
          leftSection={<ListFilter size={16} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={toggle}
        >
          {words.filters(count)}
        </Button>
        <NativeSelect
          aria-label={words.sort}
          data={isSearch ? [words.sorts.at(-1)!] : words.sorts}
          disabled={isSearch}
          title={isSearch ? words.searchOrder : undefined}
          {...field('sort')}
        />
        {csv}
      </Box>
      {isOpen && (
        <Paper id={id} p="md" mb="sm" component="section" aria-label={words.filters(0)}>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
            <NativeSelect label={words.plan} data={planOptions(plans, view.plan)} {...field('plan')} />
            {templates && templates.length > 0 && (
              <NativeSelect label={words.template} data={templateOptions(templates)} {...field('template')} />
            )}
            <NativeSelect label={words.state} data={words.states} {...field('state')} />
            <NativeSelect label={words.signedIn} data={words.signedIns} {...field('signedIn')} />
            <NativeSelect label={words.mail} data={words.mails} {...field('mail')} />
            <NativeSelect label={words.domain} data={words.domains} {...field('domain')} />
            <NativeSelect label={words.limit} data={words.limits} {...field('usage')} />
            <NativeSelect label={words.change} data={words.changes} {...field('change')} />
            <div className={classes.dates}>
              <TextInput type="date" label={words.from} max={view.to || undefined} {...field('from')} />
              <TextInput type="date" label={words.to} min={view.from || undefined} {...field('to')} />
            </div>
          </SimpleGrid>
          {count > 0 && (
            <Button mt="md" size="xs" variant="default" onClick={clear}>
              {words.clear}
            </Button>
          )}
        </Paper>
      )}
    </>
  );
}

function templateOptions(templates: readonly TemplateJson[]) {
  return [
    { value: '', label: words.anyTemplate },
    ...templates.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
}

/** Returns the plans as options. The chosen plan has no name until the plans have loaded. */
function planOptions(plans: readonly PlanJson[] | undefined, chosen: string) {
  const options = plans?.map(({ id, name, retiredAt }) => ({
    value: String(id),
    label: retiredAt === null ? name : words.retired(name),
  }));
  return [{ value: '', label: words.anyPlan }, ...(options ?? (chosen ? [{ value: chosen, label: '…' }] : []))];
}
