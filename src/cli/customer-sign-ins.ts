import { formatAccountId } from '../accounts/account.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { changeAgencyAccess } from '../impersonations/agency-access.ts';
import { type ListedImpersonation, listImpersonations } from '../impersonations/list-impersonations.ts';
import { readBatches } from '../operations/read-in-batches.ts';
import { command, OptionError } from './command.ts';
import { CUSTOMER, findCustomer } from './find-customer.ts';
import { mapBatches } from './listing.ts';
import { time } from './output.ts';

export const signInsCommand = command({
  about: "Lists the sign-ins of the seller's people to a customer's account, or forbids them.",
  details: `${CUSTOMER} Newest first.`,
  positionals: ['CUSTOMER'],
  options: {
    forbid: { type: 'boolean', about: 'Forbid these sign-ins, and end the current ones.' },
    allow: { type: 'boolean', about: 'Allow these sign-ins (the default).' },
  },
  example: 'bakery',
  async run({ db, positionals: [who = ''], values: { forbid, allow } }) {
    if (forbid && allow) throw new OptionError('allow', 'cannot be given with --forbid');
    if (forbid || allow) return change(db, who, allow === true);
    const { id } = await findCustomer(db, who);
    const parts = readBatches<ListedImpersonation>((last, limit) =>
      listImpersonations(db, id, { before: last?.id, limit }),
    );
    return {
      listing: {
        name: 'sign_ins',
        head: ['BY', 'AS', 'FROM', 'UNTIL', 'REASON'],
        empty: "The seller's people have never signed in to this customer.",
        parts: mapBatches(parts, ({ agent, person, reason, startedAt, endsAt }) => ({
          cells: [agent, person, time(startedAt), time(endsAt), reason],
          json: { by: agent, as: person, from: time(startedAt), until: time(endsAt), reason },
        })),
      },
    };
  },
});

async function change(db: Db, who: string, isAllowed: boolean) {
  const { id, subdomain } = await db.transaction().execute(async (trx) => {
    const customer = await findCustomer(trx, who);
    await changeAgencyAccess(trx, customer.id, { isAllowed }, operator);
    return customer;
  });
  return {
    text: `The seller's people ${isAllowed ? 'may' : 'cannot'} sign in to "${subdomain}".`,
    json: { customer: { id: formatAccountId(id), subdomain, sign_ins_allowed: isAllowed } },
  };
}
