import type {
  ForecastChangeJson,
  RevenueCustomerJson,
  RevenueFigure,
  RevenueMovement,
  RevenueStep,
} from '../../contract.ts';
import { money } from '../../money.ts';
import { strings } from '../../strings.ts';

/* The texts of the revenue screens, which are loaded with these screens rather than with the app. */

const share = new Intl.NumberFormat(strings.locale, { style: 'percent', maximumFractionDigits: 1 });
const count = new Intl.NumberFormat(strings.locale);

/** Formats an amount: a decimal as a string, or cents as a number. */
export const amount = (value: string | number) => money(typeof value === 'number' ? value / 100 : Number(value));
export const percent = (rate: number | null) => (rate === null ? '–' : share.format(rate));
export const number = (value: number) => count.format(value);

const dayFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(strings.locale, { ...options, timeZone: 'UTC' });
const dates = dayFormat({ day: 'numeric', month: 'short', year: 'numeric' });
const months = dayFormat({ month: 'short', year: 'numeric' });

/** Formats a range of days: `1–30 Jun 2026`. */
export const range = (from: string, to: string) => dates.formatRange(new Date(from), new Date(to));

/** Formats the month of a day `YYYY-MM-DD`. */
export const monthName = (day: string) => months.format(new Date(day));

/** Returns the name of the period that contains the first day shown of it, which is later than its start if the range cuts it. */
export function periodName(from: string, step: RevenueStep): string {
  const day = new Date(from);
  if (step === 'month') return months.format(day);
  const year = String(day.getUTCFullYear());
  return step === 'year' ? year : `Q${Math.floor(day.getUTCMonth() / 3) + 1} ${year}`;
}

const movements: Record<RevenueMovement, string> = {
  new: 'New',
  expansion: 'Expansion',
  contraction: 'Contraction',
  churn: 'Churn',
  reactivation: 'Reactivation',
};

const figures: Record<RevenueFigure, { title: string; text: string }> = {
  paying: { title: 'Paying customers', text: 'Active customers whose plan has a price, and what each pays.' },
  free: { title: 'Free customers', text: 'Active customers whose plan is free, or who are in a trial.' },
  new: { title: movements.new, text: 'Customers who paid for the first time.' },
  expansion: { title: movements.expansion, text: 'Customers who moved to a plan that costs more.' },
  contraction: { title: movements.contraction, text: 'Customers who moved to a plan that costs less.' },
  churn: { title: movements.churn, text: 'Customers who no longer pay: suspended, deleted, or on a free plan.' },
  reactivation: { title: movements.reactivation, text: 'Customers who had stopped paying, and pay again.' },
  came: {
    title: 'Customers who joined',
    text: 'Everybody who became your customer in these days, and what they pay now.',
  },
  stayed: {
    title: 'Customers who stayed',
    text: 'Those who became your customers in these days and are still active.',
  },
};

export const words = {
  title: strings.frame.revenue,
  movements,
  figures,
  step: { label: 'Periods', month: 'Months', quarter: 'Quarters', year: 'Years' },
  from: 'From',
  to: 'To the end of',
  notADay: 'Choose a day.',
  reversed: 'Choose a day that is not before the first day.',
  standAt: (day: string) => `At the end of ${day}`,
  mrr: 'Monthly revenue (MRR)',
  arr: 'Annual revenue (ARR)',
  active: 'Active customers',
  paying: 'Paying',
  free: 'Free',
  average: 'Monthly average per paying customer',
  ratesOf: (days: string) => `Churn and retention, ${days}`,
  rates: {
    customerChurn: 'Customer churn',
    revenueChurn: 'Revenue churn',
    grossRetention: 'Gross revenue retention',
    netRetention: 'Net revenue retention',
  },
  ratesText:
    'Each rate compares a month with its beginning. For several months, the retention of each month is multiplied.',
  moved: 'What changed your monthly revenue',
  chart: 'A chart of the movements. The table below has its numbers.',
  line: 'A chart of the revenue a month at the end of each period. The table below has its numbers.',
  period: 'Period',
  change: 'Change',
  end: 'MRR at the end',
  total: 'Total',
  roundedText:
    'Each amount is a twelfth of what customers pay a year, rounded. So the last digit of a sum may differ. The customers behind an amount add up to it exactly.',
  csvOfMovements: 'Save the movements as CSV',
  plan: 'Plan',
  allPlans: 'All plans',
  byPlan: 'By plan',
  byPlanText: 'All plans together make up your revenue. Choose a plan to see what changed its revenue.',
  ofPlanText:
    'For one plan, a customer who comes from another paid plan is expansion, and one who goes to another is contraction.',
  share: 'Share',
  ofPlan: (name: string) => `On the plan “${name}”. `,
  cohorts: 'Cohorts',
  cohortsText: (day: string) =>
    `Of the customers who joined in each period, those who are still active at the end of ${day}, and what they pay a month then.`,
  cameIn: 'Joined in',
  came: 'Customers',
  stillThere: 'Still active',
  payNow: 'Monthly revenue',
  forecast: 'Scheduled for the coming months',
  forecastOf: (month: string) => `Scheduled for ${month}`,
  forecastText:
    'Scheduled changes of plans and trials that end. Nothing is guessed: it is the revenue if nothing else happens. Choose a month to see its customers.',
  forecastNone: 'No change of plan is scheduled, and no trial ends.',
  forecastCsv: 'Save all known changes as CSV',
  moves: 'Scheduled changes',
  trials: 'Trials that end',
  forecastChange: ({ kind, from, to }: ForecastChangeJson) =>
    kind === 'move' ? `From “${from}” to “${to}”` : `The trial of “${to}” ends`,
  stayed: 'Churn and retention in each period',
  timeZone: (zone: string) => `Days begin and end in the time zone of your website, ${zone}.`,
  text: 'What your customers bring in, and what changed it. Each figure leads to the customers behind it, who add up to it exactly.',
  empty: 'No revenue yet',
  /** Must be shorter than `text`, which shows first: the largest text of a screen must not arrive late. */
  emptyText: (free: number) =>
    free === 0
      ? 'Create a customer on a plan with a price.'
      : `${words.customers(free)} ${free === 1 ? 'pays' : 'pay'} nothing yet: put ${free === 1 ? 'it' : 'them'} on a plan with a price.`,
  toCustomers: 'Your customers',
  customers: (count: number) => (count === 1 ? '1 customer' : `${number(count)} customers`),
  /** Counts changes rather than customers, because a customer may be listed more than once. */
  changes: (count: number) => (count === 1 ? '1 change' : `${number(count)} changes`),
  together: (annual: string, mrr: string) => `: ${annual} a year, which is ${mrr} a month`,
  none: 'No customers.',
  behind:
    'The customers behind a figure of your revenue, with their plans. What they pay adds up to the figure exactly, to the cent.',
  unknownFigure: 'There is no such list. Go back to the revenue and choose a figure.',
  more: 'Show more',
  csv: 'Save the whole list as CSV',
  noPlan: 'No active plan',
  priceOf: ({ name, priceCents, interval }: NonNullable<RevenueCustomerJson['plan']>) =>
    priceCents === 0 ? name : `${name}, ${amount(priceCents)} a ${interval}`,
  aYear: (annual: string) => `${annual} a year`,
  since: (date: string) => `Since ${date}`,
};

/** Formats a change with its sign. */
export const signed = (cents: number) => `${cents < 0 ? '−' : '+'}${amount(Math.abs(cents))}`;
