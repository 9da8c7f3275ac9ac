import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { PlanJson } from '../../contract.ts';
import lists from '../../parts/list.module.css';
import { QueryState } from '../../parts/query-state.tsx';
import { RetiredList } from '../../parts/retired-list.tsx';
import { ScreenTitle } from '../../parts/screen-title.tsx';
import { CurrencyField } from './currency-field.tsx';
import { EditPlanDialog } from './edit-plan-dialog.tsx';
import { NewPlanDialog } from './new-plan-dialog.tsx';
import { PLANS, PRICE_CHANGES } from './plan-actions.ts';
import { PlanItem } from './plan-item.tsx';
import classes from './plans.module.css';
import { PriceDialog } from './price-dialog.tsx';
import { words } from './words.ts';

/** Lists the plans that the account sells to its customers. */
export default function PlansScreen() {
  const [isAdding, setAdding] = useState(false);
  return (
    <div className={classes.screen}>
      <Group justify="space-between" mb="xs">
        <ScreenTitle>{words.title}</ScreenTitle>
        <Button onClick={() => setAdding(true)}>{words.add}</Button>
      </Group>
      <Text mb="lg" className={classes.text}>
        {words.text}
      </Text>
      <Plans />
      <NewPlanDialog opened={isAdding} onClose={() => setAdding(false)} />
    </div>
  );
}

function Plans() {
  const query = useQuery({ queryKey: PLANS, queryFn: api.plans });
  const [edited, setEdited] = useState<PlanJson>();
  const plans = query.data?.plans;
  const usual = plans?.find(({ isDefault }) => isDefault);
  const changes = useQuery({ queryKey: PRICE_CHANGES, queryFn: ({ signal }) => api.priceChanges(signal) });
  const [priced, setPriced] = useState<PlanJson>();
  const listOf = (shown: readonly PlanJson[]) =>
    shown.map((plan) => {
      const priceChange = changes.data?.priceChanges.find(({ fromPlanId }) => fromPlanId === plan.id);
      return (
        <PlanItem
          key={plan.id}
          plan={plan}
          usual={usual}
          among={shown}
          priceChange={priceChange}
          successor={plans?.find(({ id }) => id === priceChange?.toPlanId)}
          onEdit={() => setEdited(plan)}
          onChangePrice={() => setPriced(plan)}
        />
      );
    });
  const retired = plans?.filter(({ retiredAt }) => retiredAt !== null) ?? [];
  return (
    <Stack gap="lg">
      <QueryState query={query} h={132} />
      {plans && (
        <Paper component="section" aria-label={words.offeredTitle}>
          <ul className={lists.list}>{listOf(plans.filter(({ retiredAt }) => retiredAt === null))}</ul>
        </Paper>
      )}
      {plans && <CurrencyField />}
      {retired.length > 0 && (
        <RetiredList title={words.retiredTitle} text={words.retiredText}>
          {listOf(retired)}
        </RetiredList>
      )}
      <PriceDialog plan={priced} onClose={() => setPriced(undefined)} />
      <EditPlanDialog plan={edited} onClose={() => setEdited(undefined)} />
    </Stack>
  );
}
