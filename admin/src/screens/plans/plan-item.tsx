import { Badge, Group, Text } from '@mantine/core';
import type { PlanJson, PriceChangeJson } from '../../contract.ts';
import { PlaceButtons } from '../../parts/place-buttons.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { makeDefault, move, restore, retire, undoPriceChange } from './plan-actions.ts';
import classes from './plans.module.css';
import { words } from './words.ts';

interface PlanItemProps {
  readonly plan: PlanJson;
  /** The default plan, if there is one. */
  readonly usual: PlanJson | undefined;
  /** The plans among which this one can be moved. */
  readonly among: readonly PlanJson[];
  /** The scheduled change of this plan's price. */
  readonly priceChange: PriceChangeJson | undefined;
  /** The plan at the new price. */
  readonly successor: PlanJson | undefined;
  readonly onEdit: () => void;
  readonly onChangePrice: () => void;
}

export function PlanItem({ plan, usual, among, priceChange, successor, onEdit, onChangePrice }: PlanItemProps) {
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
        {plan.description && (
          <Text size="sm" mt={4} className={classes.description} dir="auto">
            {plan.description}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {words.limitsOf(plan)}
        </Text>
        {priceChange && successor && (
          <Text size="sm" mt={4}>
            {words.waiting(priceChange, successor.name)}
          </Text>
        )}
      </div>
      <Group gap="xs">
        <PlaceButtons item={plan} among={among} onMove={(place) => move(plan, place)} />
        <SmallButton aria-label={words.editOf(name)} onClick={onEdit}>
          {words.edit}
        </SmallButton>
        {isOffered && (
          <SmallButton aria-label={words.changePriceOf(name)} onClick={onChangePrice}>
            {words.changePrice}
          </SmallButton>
        )}
        {priceChange && (
          <SmallButton aria-label={words.takeBackOf(name)} onClick={() => void undoPriceChange(priceChange.id)}>
            {words.takeBack}
          </SmallButton>
        )}
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
