import { Anchor, Paper, Text, Title } from '@mantine/core';
import { Circle, CircleCheck } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'wouter';
import type { FirstStepsJson } from '../../contract.ts';
import lists from '../../parts/list.module.css';
import { useMay } from '../../session.ts';
import classes from './overview.module.css';
import { words } from './words.ts';

/** Shows the steps to a first customer who pays and signs in, with the completed steps ticked. */
export function FirstSteps({ steps: { hasPlan, hasCustomer } }: { steps: FirstStepsJson }) {
  const id = useId();
  const mayManageBrand = useMay('manage_brand');
  const steps = [
    // Without customers, the navigation has no link to the plans, so a completed step keeps its link.
    { ...words.steps.plan, isDone: hasPlan, place: '/plans', ...(hasPlan && { link: words.steps.plan.linkDone }) },
    { ...words.steps.customer, isDone: hasCustomer, place: hasCustomer ? undefined : '/customers/new' },
    { ...words.steps.signIn, isDone: false, place: hasCustomer ? '/customers' : undefined },
  ];
  return (
    <section aria-labelledby={id} className={classes.section}>
      <Title order={2} size="h4" id={id} mb="sm">
        {words.steps.title}
      </Title>
      <Paper>
        <ol className={lists.list} aria-labelledby={id}>
          {steps.map(({ name, text, link, isDone, place }) => (
            <li key={name} className={classes.step}>
              {isDone ? (
                <CircleCheck size={22} role="img" aria-label={words.steps.done} />
              ) : (
                <Circle size={22} aria-hidden />
              )}
              <div className={classes.facts}>
                <Text fw={600}>{name}</Text>
                <Text size="sm" c="dimmed">
                  {text}
                </Text>
              </div>
              {place && (
                <Anchor component={Link} href={place} size="sm">
                  {link}
                </Anchor>
              )}
            </li>
          ))}
        </ol>
      </Paper>
      {mayManageBrand && (
        <Text size="sm" c="dimmed" mt="sm">
          {words.steps.brand.text}{' '}
          <Anchor component={Link} href="/brand">
            {words.steps.brand.link}
          </Anchor>
        </Text>
      )}
    </section>
  );
}
