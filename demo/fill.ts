import { join } from 'node:path';
import type { Addresses } from '../src/addresses.ts';
import { readConfig } from '../src/config.ts';
import type { Db, Trx } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { openMediaStore } from '../src/media/open-store.ts';
import { runMaintenance } from '../src/service/maintenance.ts';
import { hashPassword } from '../src/users/password.ts';
import { foundAgency, PASSWORD } from './agency.ts';
import { addBrand, drawIcon } from './brand.ts';
import { buildSite, type SitePicture } from './build-site.ts';
import { type Business, inventBusinesses } from './businesses.ts';
import { at } from './clock.ts';
import { type Customer, deliverAll, happen, type World } from './happen.ts';
import { DAY_MS, drawLife, HISTORY_MS, type Moment } from './lives.ts';
import { descriptions, drawPicture, SharedImageMaker } from './pictures.ts';
import { addPlans, changesOfPlans } from './plans.ts';
import { Random } from './random.ts';
import { addTemplates } from './templates.ts';
import type { Trade } from './trades.ts';

export const MAIL_FROM = 'no-reply@northlight.example';

/** The share of small sites that have a picture. */
const PICTURE_SHARE = 0.3;

/**
 * Fills a new SQLite database with an agency, its customers, and three years of history. The ledger and the audit log are
 * append-only, so nothing can be moved into the past later: everything happens in order, by the product's verbs, with the clock
 * of this process set to its time. Only the sites come last, when their pictures are ready. One transaction holds it all, since half a demo is of no use.
 */
export async function fillDemo(dataDir: string, addresses: Addresses, customers: number): Promise<DemoCustomer> {
  // Use the start of the day, so that the same things have happened at whatever time the demo starts.
  const now = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const db = await openDatabase({ dataDir, databaseUrl: '', databasePool: 1 });
  const maker = new SharedImageMaker(join(dataDir, 'drawn'));
  const store = openMediaStore(readConfig({ DATA_DIR: dataDir }));
  try {
    await migrate(db);
    const moments = [...drawMoments(new Random(35), now, customers)];
    // The pictures are drawn while the history is made.
    const drawing = drawPictures(maker, new Set(moments.map(({ customer }) => customer.business.trade)));
    const passwordHash = await hashPassword(PASSWORD, 1);
    const settings = { ...addresses, mailFrom: MAIL_FROM, customersPerAddress: 0 };
    const random = new Random(8);
    const icon = await drawIcon();
    await db.transaction().execute(async (trx) => {
      const start = now - HISTORY_MS;
      const agency = await at(start, () => foundAgency(trx, settings, passwordHash));
      const plans = await at(start, () => addPlans(trx, agency.id, agency.owner));
      await at(start, () => addBrand(trx, agency.id, icon, agency.owner));
      const build = async (trx: Trx, { id, owner, business }: Customer) => {
        const all = (await drawing).get(business.trade)!;
        const some = business.isShowpiece ? all : random.chance(PICTURE_SHARE) ? [random.pick(all)] : [];
        return buildSite(trx, id, { business, pictures: some, store, maker, random }, owner);
      };
      const world: World = { agency, plans, settings, buildSite: build };
      const history = changesOfPlans(start, agency.id, plans, agency.owner);
      const sites: typeof history = [];
      for (const { customer, moment } of moments) {
        const list = moment.kind === 'built' ? sites : history;
        list.push({ at: moment.at, make: (trx) => happen(trx, world, customer, moment) });
      }
      history.sort((a, b) => a.at - b.at);
      for (const event of [...history, ...sites]) await at(event.at, async () => void (await event.make(trx)));
      const all = new Set(moments.map(({ customer }) => customer));
      await at(now, () => addTemplates(trx, agency.id, all, agency.owner));
      await at(now, () => deliverAll(trx));
    });
    // Delete old mail and sessions, and the leftovers of deleted customers, as maintenance would have done.
    await runMaintenance({ db, store, dataDir, log: console });
    return await findCustomer(db);
  } finally {
    maker.close();
    await db.destroy();
  }
}

interface DemoCustomer {
  account: string;
  email: string;
}

/** Finds the owner of a customer with a public site: the newest of those with the most pictures. */
function findCustomer(db: Db): Promise<DemoCustomer> {
  return db
    .selectFrom('accounts')
    .innerJoin('users', 'users.account_id', 'accounts.id')
    .select(['accounts.subdomain as account', 'users.email'])
    .where('accounts.parent_id', 'is not', null)
    .where('accounts.status', '=', 'active')
    .where('users.role', '=', 'owner')
    .where('users.password_hash', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('pages')
          .select('pages.id')
          .whereRef('pages.account_id', '=', 'accounts.id')
          .where('pages.status', '=', 'published'),
      ),
    )
    .orderBy(
      ({ selectFrom }) =>
        selectFrom('media')
          .select(({ fn }) => fn.countAll().as('count'))
          .whereRef('media.account_id', '=', 'accounts.id'),
      'desc',
    )
    .orderBy('accounts.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** Draws customers with their histories until `count` of them are still with the agency. */
function* drawMoments(random: Random, now: number, count: number): Generator<{ customer: Customer; moment: Moment }> {
  const businesses = inventBusinesses(random);
  const shown = new Set<Trade>();
  for (let there = 0; there < count; ) {
    const { moments, isThere } = drawLife(random, now);
    if (isThere) there += 1;
    const { value: business } = businesses.next() as { value: Business };
    const willHaveSite = isThere && moments.some(({ kind }) => kind === 'built');
    business.isShowpiece = willHaveSite && !shown.has(business.trade);
    if (business.isShowpiece) shown.add(business.trade);
    const customer = { business, willHaveSite };
    for (const moment of moments) {
      if (moment.kind === 'built' && !isThere) continue;
      yield { customer: customer as Customer, moment };
    }
  }
}

async function drawPictures(maker: SharedImageMaker, trades: ReadonlySet<Trade>): Promise<Map<Trade, SitePicture[]>> {
  const drawn = [...trades].map(async (trade, index) => {
    const pictures = trade.pictures.map(async ([scene, caption], place) => {
      const picture = await drawPicture(scene, trade.look.accents[0]!, index * 10 + place);
      await maker.prepare(picture);
      return { ...picture, alt: descriptions[scene], caption };
    });
    return [trade, await Promise.all(pictures)] as const;
  });
  return new Map(await Promise.all(drawn));
}
