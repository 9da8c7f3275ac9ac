import type { Trx } from '../src/db/database.ts';
import { offerTemplate } from '../src/templates/change-template.ts';
import type { ActingUser } from '../src/users/roles.ts';
import type { Customer } from './happen.ts';

const MAX_TEMPLATES = 4;

/** Offers the best sites of some trades as templates. */
export async function addTemplates(
  trx: Trx,
  agencyId: number,
  customers: Iterable<Customer>,
  by: ActingUser,
): Promise<void> {
  const offered = [...customers].filter(({ business }) => business.isShowpiece).slice(0, MAX_TEMPLATES);
  for (const { id: siteId, business } of offered) {
    const { word } = business.trade;
    const name = word.charAt(0).toUpperCase() + word.slice(1);
    const description = `Pages, pictures and colours for a ${word}. Replace the texts with those of the customer.`;
    await offerTemplate(trx, agencyId, { siteId, name, description }, by);
  }
}
