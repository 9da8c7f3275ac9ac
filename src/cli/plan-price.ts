import { operator } from '../audit/record-audit-event.ts';
import { ValidationError } from '../errors.ts';
import { monthlyDecimal } from '../plans/money.ts';
import { getPlan, listPlans } from '../plans/plans.ts';
import { changePrice, undoPriceChange } from '../scheduled-changes/change-price.ts';
import { listWaitingPriceChanges, previewPriceChange } from '../scheduled-changes/price-change.ts';
import { commandOfAccount } from './command.ts';
import { findPlan } from './find-by-name.ts';
import { planJson } from './plan-json.ts';

export const priceCommand = commandOfAccount({
  about: 'Changes the price of a plan: a new plan replaces it, and the old one is retired.',
  details:
    'PLAN is its name or id (plan_3). Its customers keep their price, unless --from names the day on which they move to the new plan.\n' +
    'Until then, plan price-undo undoes the change. --preview changes nothing.',
  options: {
    name: { type: 'string', value: 'NAME', required: true, about: 'The name of the new plan.' },
    price: { type: 'string', value: '59.00', required: true, about: 'The new price per interval.' },
    from: { type: 'string', value: 'YYYY-MM-DD', about: 'The day from which its customers pay the new price.' },
    preview: { type: 'boolean', about: 'Show how many customers it affects, and what they would pay.' },
  },
  positionals: ['PLAN'],
  example: 'Business --account acme --name "Business 2027" --price 59.00 --from 2027-01-01',
  async run({ db, account: { id: accountId }, values, positionals: [which = ''] }) {
    const { name, price, from, preview } = values;
    const { id: planId } = findPlan(await listPlans(db, accountId), which);
    const found = await previewPriceChange(db, accountId, { planId, price });
    const [mrr, newMrr] = [monthlyDecimal(found.annualCents), monthlyDecimal(found.newAnnualCents)];
    const concerns = { customers: found.moves, active_customers: found.active, other_changes: found.others };
    const words = `${found.moves} customers, whose MRR of ${mrr} becomes ${newMrr}`;
    if (preview) return { text: `It would move ${words}.`, json: { preview: { ...concerns, mrr, new_mrr: newMrr } } };
    const changed = await db.transaction().execute(async (trx) => {
      const {
        id,
        planId: newId,
        moves,
      } = await withOptionName(() => changePrice(trx, accountId, { planId, name, price, day: from }, operator));
      return { id, moves, plan: await getPlan(trx, accountId, newId) };
    });
    const moved = from === undefined ? '' : ` On ${from}, it moves ${words}.`;
    return {
      text: `${changed.plan.name} replaces the plan for new customers.${moved}`,
      json: {
        price_change: { id: changed.id, from: from ?? null, moves: changed.moves, plan: planJson(changed.plan) },
      },
    };
  },
});

/** Renames the field `day` in validation errors to the option's name, `from`. */
async function withOptionName<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError(error.fields.map((one) => ({ ...one, field: one.field === 'day' ? 'from' : one.field })));
  }
}

export const priceUndoCommand = commandOfAccount({
  about: "Undoes a change of price, before the day on which the plan's customers would move.",
  details: 'PLAN is the plan that was retired, by its name or id (plan_3).',
  positionals: ['PLAN'],
  example: 'Business --account acme',
  async run({ db, account: { id: accountId }, positionals: [which = ''] }) {
    const plan = await db.transaction().execute(async (trx) => {
      const { id: planId } = findPlan(await listPlans(trx, accountId), which);
      const changes = await listWaitingPriceChanges(trx, accountId);
      const change = changes.find(({ fromPlanId }) => fromPlanId === planId);
      // If there is no change, the verb refuses id 0 with the right error.
      await undoPriceChange(trx, accountId, change?.id ?? 0, operator);
      return getPlan(trx, accountId, planId);
    });
    return { text: `${plan.name} is offered again, and its customers stay on it.`, json: { plan: planJson(plan) } };
  },
});
