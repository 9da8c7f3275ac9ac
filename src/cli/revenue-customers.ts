import { readBatches } from '../operations/read-in-batches.ts';
import { decimal, signedDecimal } from '../plans/money.ts';
import { isDay } from '../revenue/days.ts';
import {
  cursorOf,
  isRevenueFigure,
  listFigureCustomers,
  type RevenueCustomer,
  revenueFigures,
} from '../revenue/list-figure-customers.ts';
import { commandOfAccount, OptionError } from './command.ts';
import { mapBatches } from './listing.ts';
import { time } from './output.ts';
import { dayOptions, findRevenuePlan, planOption, readDays } from './revenue-options.ts';

export const customers = commandOfAccount({
  about: 'Lists the customers behind a figure of revenue, with their lines of the ledger.',
  details: 'The ARR of the listed customers, or for a movement its changes, adds up to the figure exactly.',
  options: {
    figure: { type: 'string', value: revenueFigures.join('|'), required: true, about: 'The figure.' },
    ...dayOptions,
    ...planOption,
    state: {
      type: 'string',
      value: 'YYYY-MM-DD',
      about: 'With figures of new customers, the day whose plans are listed. Default: the last day.',
    },
  },
  example: '--account acme --figure churn --from 2026-06-01 --as-of 2026-06-30',
  async run({ db, account: { id }, values }) {
    const { figure } = values;
    if (!isRevenueFigure(figure)) throw new OptionError('figure', `must be one of: ${revenueFigures.join(', ')}`);
    const { state } = values;
    if (state !== undefined && !isDay(state)) throw new OptionError('state', 'is not a day like 2026-06-30');
    const planId = await findRevenuePlan(db, id, values.plan);
    const input = { figure, planId, asOf: state, ...(await readDays(db, id, values)) };
    const lines = readBatches<RevenueCustomer>(async (last, limit) => {
      const page = { after: last ? cursorOf(figure, last) : 0, limit };
      return (await listFigureCustomers(db, id, input, page)).lines;
    });
    return {
      listing: {
        name: 'customers',
        head: ['CUSTOMER', 'NAME', 'PLAN', 'PRICE', 'INTERVAL', 'ARR', 'CHANGE', 'SINCE'],
        empty: 'There are no customers.',
        parts: mapBatches(lines, (line) => ({
          cells: [
            `account_${line.customerId}`,
            line.name,
            line.planName ?? '',
            line.priceCents === null ? '' : decimal(line.priceCents),
            line.interval ?? '',
            decimal(line.annualCents),
            signedDecimal(line.changeCents),
            time(line.at),
          ],
          json: {
            id: `account_${line.customerId}`,
            name: line.name,
            plan_name: line.planName,
            plan_price: line.priceCents === null ? null : decimal(line.priceCents),
            interval: line.interval,
            arr: decimal(line.annualCents),
            arr_change: signedDecimal(line.changeCents),
            at: time(line.at),
          },
        })),
      },
    };
  },
});
