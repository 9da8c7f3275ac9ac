import type { PlanJson, PriceChangeJson, PriceChangePreviewJson } from '../../contract.ts';
import { money } from '../../money.ts';
import { strings } from '../../strings.ts';
import { formatPlainDate } from '../../times.ts';

type Price = Pick<PlanJson, 'priceCents' | 'interval'>;

/** The texts of the screen, which are loaded with it. */
export const words = {
  title: strings.frame.plans,
  text: 'What you sell to your customers. A new customer is put on the default plan unless you choose another.',
  add: 'New plan',
  name: 'Name',
  price: 'Price',
  priceHelp: 'For example 49.00, or 0 for a free plan.',
  interval: 'Paid',
  intervalHelp: 'You cannot change this later. For another price, a new plan replaces this one.',
  intervals: { month: 'every month', quarter: 'every quarter', year: 'every year' },
  makeDefault: 'Make default',
  makeDefaultOf: (name: string) => `Make default: “${name}”`,
  description: 'Description',
  trialDays: 'Trial days',
  trialDaysHelp: 'How many days are free on a customer’s first paid plan.',
  noTrial: 'None',
  limits: 'What each customer may have',
  noLimit: 'No limit',
  limitLabels: { pages: 'Pages', people: 'People', storage: 'Images, in MB', domains: 'Own domains' },
  create: 'Create plan',
  created: (name: string) => `You can choose “${name}” for customers now.`,
  edit: 'Edit',
  editOf: (name: string) => `Edit “${name}”`,
  save: 'Save',
  saved: (name: string) => `“${name}” is saved.`,
  retire: 'Retire',
  retireOf: (name: string) => `Retire “${name}”`,
  retired: (name: string, customers: number) =>
    customers === 0
      ? `“${name}” is retired. No customer can be put on it now.`
      : `“${name}” is retired. ${customerCount(customers)} on it ${customers === 1 ? 'stays' : 'stay'}; no other customer can be put on it.`,
  currency: 'Currency',
  currencyText: 'For all your prices. It cannot be changed once a customer is on a paid plan.',
  noCurrency: 'Not chosen yet',
  currencySaved: (code: string) => `Your prices are in ${code}.`,
  changePrice: 'Change price',
  changePriceOf: (name: string) => `Change price: “${name}”`,
  changePriceText: 'A new plan replaces this one, which is retired. What customers paid until then does not change.',
  newPrice: ({ interval }: Price) => `New price a ${interval}`,
  priceNow: (plan: Price) => `Now: ${words.priceOf(plan)}`,
  newName: 'Name of the new plan',
  whom: 'Who pays it',
  whoms: [
    { value: 'new', label: 'New customers' },
    { value: 'all', label: 'All customers, from a date' },
  ],
  priceDay: 'From',
  moves: ({ moves, active, mrr, newMrr }: PriceChangePreviewJson) => {
    if (moves === 0) return 'No customer is on this plan.';
    const suspended = moves - active;
    const besides = suspended === 0 ? '' : `, ${suspended} of them suspended,`;
    const [now, then] = [Number(mrr), Number(newMrr)];
    const change = `${then < now ? '−' : '+'}${money(Math.abs(then - now))}`;
    return `${customerCount(moves)}${besides} will move. They pay ${money(now)} a month now, and ${money(then)} then: ${change}.`;
  },
  others: (count: number) =>
    `${customerCount(count)} on this plan ${count === 1 ? 'has' : 'have'} another scheduled change, which stays.`,
  priceChanged: (name: string, moves: number, day: string | null) =>
    day === null
      ? `“${name}” replaces the plan for new customers.`
      : `“${name}” replaces the plan. ${customerCount(moves)} will move on ${formatPlainDate(day)}.`,
  waiting: ({ day, moves }: PriceChangeJson, name: string) =>
    `On ${formatPlainDate(day)}, ${customerCount(moves)} will move to “${name}”.`,
  takeBack: 'Cancel the new price',
  takeBackOf: (name: string) => `Cancel the new price of “${name}”`,
  restore: 'Offer again',
  restoreOf: (name: string) => `Offer again: “${name}”`,
  restored: (name: string) => `“${name}” is offered again.`,
  defaultBadge: 'Default',
  madeDefault: (name: string) => `New customers are put on “${name}” now.`,
  offeredTitle: 'Offered',
  retiredTitle: 'Retired',
  retiredText: 'Customers stay on a retired plan at its price. No other customer can be put on it.',
  priceOf: ({ priceCents, interval }: Price) =>
    priceCents === 0 ? 'Free' : `${money(priceCents / 100)} a ${interval}`,
  limitsOf: ({ limits, trialDays }: PlanJson) =>
    trialDays === 0 ? limitsInWords(limits) : `${trialDays} trial days · ${limitsInWords(limits)}`,
  details: (plan: PlanJson) =>
    [
      customerCount(plan.activeCustomers),
      ...(plan.trialCustomers > 0 ? [`${plan.trialCustomers.toLocaleString(strings.locale)} in the trial`] : []),
      ...(plan.priceCents > 0 ? [`${money(Number(plan.mrr))} a month`] : []),
    ].join(' · '),
};

function customerCount(count: number): string {
  return count === 1 ? '1 customer' : `${count.toLocaleString(strings.locale)} customers`;
}

/** Returns the limits of a plan as text: `10 pages, 3 people`. */
function limitsInWords(limits: PlanJson['limits']): string {
  const { pages, people, storage, domains } = limits;
  const values = { pages, people, storage: storage === null ? null : storage * 2 ** 20, domains };
  const shown = Object.entries(values).filter((entry): entry is [keyof typeof values, number] => entry[1] !== null);
  return shown.length === 0
    ? 'No limits'
    : `Up to ${shown.map(([name, value]) => strings.limitAmounts[name](value)).join(', ')}`;
}
