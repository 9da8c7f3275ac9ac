import type { PlanJson } from '../../contract.ts';
import { strings } from '../../strings.ts';

type Price = Pick<PlanJson, 'priceCents' | 'interval'>;

/** The words of the screen: apart from those of the other screens, which load without them. */
export const words = {
  title: strings.frame.plans,
  text: 'What you sell to your customers. A new customer is put on the default plan unless you choose another.',
  add: 'New plan',
  name: 'Name',
  price: 'Price',
  priceHelp: 'Such as 49.00; 0 is free.',
  interval: 'Paid',
  intervalHelp: 'Stays as it is, like the price.',
  intervals: { month: 'every month', quarter: 'every quarter', year: 'every year' },
  makeDefault: 'Make default',
  makeDefaultOf: (name: string) => `Make default: “${name}”`,
  description: 'Description',
  limits: 'What each customer may have',
  noLimit: 'No limit',
  limitLabels: { pages: 'Pages', people: 'People', storage: 'Images, in MB', domains: 'Own domains' },
  create: 'Create plan',
  created: (name: string) => `“${name}” can be chosen for customers now.`,
  edit: 'Edit',
  editOf: (name: string) => `Edit “${name}”`,
  save: 'Save',
  saved: (name: string) => `“${name}” is saved.`,
  retire: 'Retire',
  retireOf: (name: string) => `Retire “${name}”`,
  retired: (name: string, customers: number) =>
    customers === 0
      ? `“${name}” is retired. Nobody can be put on it any more.`
      : `“${name}” is retired. ${customerCount(customers)} on it ${customers === 1 ? 'stays' : 'stay'}; nobody else can be put on it.`,
  restore: 'Offer again',
  restoreOf: (name: string) => `Offer again: “${name}”`,
  restored: (name: string) => `“${name}” is offered again.`,
  up: (name: string, place: string) => `Move “${name}” up, now ${place}`,
  down: (name: string, place: string) => `Move “${name}” down, now ${place}`,
  place: (place: number, count: number) => `${place} of ${count}`,
  defaultBadge: 'Default',
  madeDefault: (name: string) => `New customers are put on “${name}” now.`,
  offeredTitle: 'Offered',
  retiredTitle: 'Retired',
  retiredText: 'Customers stay on a retired plan at its price. Nobody else can be put on it.',
  priceOf: ({ priceCents, interval }: Price) =>
    priceCents === 0 ? 'Free' : `${amount(priceCents / 100)} a ${interval}`,
  limitsOf: ({ limits }: PlanJson) => limitsInWords(limits),
  details: (plan: PlanJson) =>
    [customerCount(plan.activeCustomers), ...(plan.priceCents > 0 ? [`${amount(Number(plan.mrr))} a month`] : [])].join(
      ' · ',
    ),
};

export function customerCount(count: number): string {
  return count === 1 ? '1 customer' : `${count.toLocaleString(strings.locale)} customers`;
}

/** Returns what a plan allows: `10 pages, 3 people`. */
function limitsInWords(limits: PlanJson['limits']): string {
  const { pages, people, storage, domains } = limits;
  const values = { pages, people, storage: storage === null ? null : storage * 2 ** 20, domains };
  const shown = Object.entries(values).filter((entry): entry is [keyof typeof values, number] => entry[1] !== null);
  return shown.length === 0
    ? 'No limits'
    : `At most ${shown.map(([name, value]) => strings.limitAmounts[name](value)).join(', ')}`;
}

function amount(units: number): string {
  return units.toLocaleString(strings.locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
