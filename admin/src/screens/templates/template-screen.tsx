import { Anchor, Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api.ts';
import type { TemplateJson } from '../../contract.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { NotFound } from '../../parts/not-found.tsx';
import { TEMPLATES } from '../../parts/offer-dialog.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { Section } from '../../parts/section.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { formatTime } from '../../times.ts';
import { PushPreview } from './push-preview.tsx';
import { TemplateSite } from './template-item.tsx';
import classes from './templates.module.css';
import { words } from './words.ts';

/** Shows a template, the sites that were created from it, and the pushes to them. */
export default function TemplateScreen({ id }: { id: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: TEMPLATES,
    queryFn: ({ signal }) => api.templates(signal),
  });
  const template = data?.templates.find((one) => one.id === id);
  useTitle(template?.name ?? words.title);
  if (data && !template) return <NotFound />;
  return (
    <div className={classes.screen}>
      <BackLink href="/templates">{words.back}</BackLink>
      <QueryState query={{ data, error, refetch }} h={132} />
      {template && <Template template={template} />}
    </div>
  );
}

function Template({ template }: { template: TemplateJson }) {
  const { id, name, description, sites } = template;
  return (
    <Stack gap="lg">
      <div>
        <Title order={1} dir="auto">
          {name}
        </Title>
        <TemplateSite template={template} />
        {description && (
          <Text mt="xs" className={classes.description} dir="auto">
            {description}
          </Text>
        )}
        <Group gap="xs" mt="xs">
          <Text size="sm" c="dimmed">
            {words.made(sites)}
          </Text>
          {sites > 0 && (
            <Anchor component={Link} href={`/customers?template=${id}`} size="sm">
              {words.seeCustomers}
            </Anchor>
          )}
        </Group>
      </div>
      <PushPreview template={template} />
      <Pushes templateId={id} />
    </Stack>
  );
}

function Pushes({ templateId }: { templateId: number }) {
  const { data } = useQuery({
    queryKey: ['pushes', templateId],
    queryFn: ({ signal }) => api.pushes(templateId, signal),
    staleTime: 0,
  });
  if (!data || data.pushes.length === 0) return null;
  return (
    <Section title={words.pushesTitle}>
      <List size="sm" spacing="xs">
        {data.pushes.map((push) => (
          <List.Item key={push.id}>
            <Anchor component={Link} href={`/templates/${templateId}/pushes/${push.id}`}>
              {words.pushOf(formatTime(push.createdAt))}
            </Anchor>{' '}
            {words.by(push.createdBy)}. {words.states[push.state]}:{' '}
            {push.state === 'undone' ? words.undoneSum(push) : words.done(push)}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
