import { Badge, Group, Text } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { PlanJson, PriceChangeJson } from '../../contract.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { makeDefault, move, restore, retire, undoPriceChange } from './plan-actions.ts';
import classes from './plans.module.css';
import { words } from './words.ts';

interface PlanItemProps {
  readonly plan: PlanJson;
  /** The default plan. */
  readonly usual: PlanJson | undefined;
  /** The plans among which it can be moved. */
  readonly among: readonly PlanJson[];
  /** What the new price of this plan waits for. */
  readonly priceChange: PriceChangeJson | undefined;
  /** The plan that takes its place then. */
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
        <PlaceButtons plan={plan} among={among} />
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

/** The buttons that move a plan. The one that was pressed keeps the focus, although its item has moved. */
function PlaceButtons({ plan, among }: Pick<PlanItemProps, 'plan' | 'among'>) {
  const place = among.findIndex(({ id }) => id === plan.id);
  const pressed = useRef<'up' | 'down'>(undefined);
  const buttons = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [up, down] = buttons.current?.querySelectorAll('button') ?? [];
    const wanted = pressed.current === 'up' ? [up, down] : [down, up];
    if (pressed.current) wanted.find((button) => button?.disabled === false)?.focus();
    pressed.current = undefined;
  }, [place]);
  if (among.length < 2) return null;
  const where = words.place(place + 1, among.length);
  const button = (to: 'up' | 'down', other: PlanJson | undefined) => (
    <IconButton
      label={words[to](plan.name, where)}
      variant="default"
      disabled={!other}
      onClick={() => {
        pressed.current = to;
        if (other) move(plan, other);
      }}
    >
      {to === 'up' ? <ArrowUp size={16} aria-hidden /> : <ArrowDown size={16} aria-hidden />}
    </IconButton>
  );
  return (
    <Group ref={buttons} gap={4} wrap="nowrap">
      {button('up', among[place - 1])}
      {button('down', among[place + 1])}
    </Group>
  );
}
