import { formatAccountId } from '../accounts/account.ts';
import { readBatches } from '../operations/read-in-batches.ts';
import { monthlyDecimal, signedDecimal } from '../plans/money.ts';
import { type ForecastLine, getForecast, listForecast } from '../revenue/get-forecast.ts';
import { commandOfAccount } from './command.ts';
import { mapBatches } from './listing.ts';
import { table } from './output.ts';

export const forecast = commandOfAccount({
  about: 'Shows how scheduled changes and ending trials affect the revenue of an account, by month.',
  details: 'Nothing is estimated. --changes lists each change with its customer.',
  options: { changes: { type: 'boolean', about: 'List the changes.' } },
  example: '--account acme',
  async run({ db, account: { id }, values }) {
    if (values.changes)
      return { listing: listingOf(readBatches((after, limit) => listForecast(db, id, { after, limit }))) };
    const { annualCents, months } = await getForecast(db, id);
    const rows = months.map(({ month, moves, trials, annualCents }) => [
      ...[month, String(moves.count), monthlyDecimal(moves.annualCents)],
      ...[String(trials.count), monthlyDecimal(trials.annualCents), monthlyDecimal(annualCents)],
    ]);
    const head = ['MONTH', 'CHANGES', 'CHANGE OF MRR', 'ENDS OF TRIALS', 'CHANGE OF MRR', 'MRR AFTER'];
    const amounts = ({ count, annualCents }: { count: number; annualCents: number }) => ({
      count,
      mrr: monthlyDecimal(annualCents),
      arr: signedDecimal(annualCents),
    });
    return {
      text: `MRR now: ${monthlyDecimal(annualCents)}\n\n${table(head, rows, 'No changes are known for the coming months.')}`,
      json: {
        forecast: {
          mrr: monthlyDecimal(annualCents),
          months: months.map(({ month, moves, trials, annualCents }) => ({
            month,
            scheduled_changes: amounts(moves),
            ends_of_trials: amounts(trials),
            mrr: monthlyDecimal(annualCents),
          })),
        },
      },
    };
  },
});

function listingOf(changes: AsyncIterable<ForecastLine[]>) {
  return {
    name: 'changes',
    head: ['ON', 'CUSTOMER', 'NAME', 'WHAT', 'PLAN', 'CHANGE OF MRR'],
    empty: 'No changes are known for the coming months.',
    parts: mapBatches(changes, ({ day, customerId, name, kind, from, to, changeCents }) => ({
      cells: [
        ...[day, formatAccountId(customerId), name, kind === 'move' ? 'scheduled change' : 'end of trial'],
        ...[kind === 'move' ? `${from} to ${to}` : to, monthlyDecimal(changeCents)],
      ],
      json: {
        on: day,
        customer_id: formatAccountId(customerId),
        name,
        kind,
        from,
        to,
        change_of_mrr: monthlyDecimal(changeCents),
      },
    })),
  };
}
