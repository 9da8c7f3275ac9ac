import { Badge, Group, Text } from '@mantine/core';
import type { PlanJson } from '../../contract.ts';
import { SmallButton } from '../../parts/small-button.tsx';
import { makeDefault, restore, retire } from './plan-actions.ts';
import classes from './plans.module.css';
import { words } from './words.ts';

interface PlanItemProps {
  readonly plan: PlanJson;
  /** The default plan. */
  readonly usual: PlanJson | undefined;
  readonly onEdit: () => void;
}

export function PlanItem({ plan, usual, onEdit }: PlanItemProps) {
  const { name, isDefault, retiredAt } = plan;
  const isOffered = retiredAt === null;
  return (
    <li className={classes.item} tabIndex={-1}>
      <div className={classes.facts}>
        <Group gap="xs">
          <Text component="span" fw={600} dir="auto">
            {name}
          </Text>
          {isDefault && <Badge variant="light">{words.defaultBadge}</Badge>}
        </Group>
        <Text size="sm">{words.priceOf(plan)}</Text>
        <Text size="sm" c="dimmed">
          {words.details(plan)}
        </Text>
      </div>
      <Group gap="xs">
        <SmallButton aria-label={words.editOf(name)} onClick={onEdit}>
          {words.edit}
        </SmallButton>
        {isOffered && !isDefault && (
          <>
            <SmallButton aria-label={words.makeDefaultOf(name)} onClick={() => makeDefault(plan, usual)}>
              {words.makeDefault}
            </SmallButton>
            <SmallButton aria-label={words.retireOf(name)} onClick={() => retire(plan)}>
              {words.retire}
            </SmallButton>
          </>
        )}
        {!isOffered && (
          <SmallButton aria-label={words.restoreOf(name)} onClick={() => restore(plan)}>
            {words.restore}
          </SmallButton>
        )}
      </Group>
    </li>
  );
}
