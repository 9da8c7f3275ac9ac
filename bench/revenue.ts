import { tokenFor } from '../test/person.ts';
import { openForFilling } from './data.ts';
import { addLedger, CUSTOMERS } from './ledger.ts';
import type { Running } from './processes.ts';
import { only } from './report.ts';
import { SignedInClient } from './signed-in-client.ts';

const WORK = 'agency with 100,000 customers and 600,000 lines of the ledger';
/** The number of sessions: one may make only 1,200 requests a minute, so each kind of request has its own. */
const SESSIONS = 40;
const DAY_MS = 24 * 60 * 60 * 1000;
const YEAR_MS = 365 * DAY_MS;

interface Agency {
  key: string;
  sessions: string[];
  customers: number[];
  plans: number[];
  /** The id of a line in the middle of the ledger. */
  middleLine: number;
}

/** Requests what an agency's people look at, one request after another, each about different days. */
export async function measureAgency(
  service: Running,
  database: { dataDir: string; databaseUrl: string },
  on = '',
): Promise<void> {
  const work = `${on}${WORK}`;
  if (!work.includes(only)) return;
  const agency = await fillAgency(database);
  const client = new SignedInClient(service);
  console.log(work);
  for (const [index, [name, paths]] of Object.entries(listWork(agency)).entries()) {
    const session = agency.sessions[index]!;
    await client.measure(`${on}agency: ${name}`, paths, { session, most: { median: 100, p99: 300 } });
  }
  client.close();
}

async function fillAgency(database: { dataDir: string; databaseUrl: string }): Promise<Agency> {
  const db = await openForFilling({ ...database, databasePool: 2 });
  try {
    const { id, userId, key } = await addLedger(db);
    const sessions: string[] = [];
    for (let count = 0; count < SESSIONS; count++) sessions.push(await tokenFor(db, id, userId));
    const customers = await db.selectFrom('accounts').select('id').where('parent_id', '=', id).orderBy('id').execute();
    const plans = await db.selectFrom('plans').select('id').where('account_id', '=', id).orderBy('id').execute();
    const lines = db.selectFrom('revenue_lines').where('account_id', '=', id);
    const middle = await lines.select((e) => e(e.fn.max('line_id'), '/', 2).as('line')).executeTakeFirstOrThrow();
    return {
      key,
      sessions,
      customers: customers.map(({ id }) => id),
      plans: plans.map(({ id }) => id),
      middleLine: Math.floor(Number(middle.line)),
    };
  } finally {
    await db.destroy();
  }
}

/** Returns the paths of each kind of request. */
function listWork({ key, customers, plans, middleLine }: Agency): Record<string, string[]> {
  const [first, middle, last] = [customers[0]!, customers[CUSTOMERS / 2]!, customers[CUSTOMERS - 1]!];
  const days = Array.from({ length: 40 }, (_, index) => day(index * 11 * DAY_MS));
  const oldDays = Array.from({ length: 40 }, (_, index) => day(2 * YEAR_MS + index * 11 * DAY_MS));
  const list = (query: string) => `/admin/customers?${query}`;
  const behind = (figure: string) => [
    ...days.map((to) => `/admin/revenue/customers?figure=${figure}&to=${to}`),
    `/admin/revenue/customers?figure=${figure}&from=${day(9 * YEAR_MS)}`,
    `/admin/revenue/customers?figure=${figure}&after=${figure.match(/paying|free/) ? middle : middleLine}`,
    `/admin/revenue/customers?figure=${figure}&to=${day(4.9 * YEAR_MS)}`,
    `/admin/revenue/customers?figure=${figure}&to=${day(4.9 * YEAR_MS)}&after=${figure.match(/paying|free/) ? first + CUSTOMERS / 10 : 0}`,
  ];
  const range = `from=${day(900 * DAY_MS)}&to=${day(200 * DAY_MS)}`;
  return {
    'customers, newest, oldest and by name': ['newest', 'oldest', 'name'].map((sort) => list(`sort=${sort}`)),
    'customers, in the middle of each order': [
      list(`sort=newest&after=${middle}-${Date.now() - 2.5 * YEAR_MS}`),
      list(`sort=oldest&after=${middle}-${Date.now() - 2.5 * YEAR_MS}`),
      list(`sort=name&after=${middle}-${encodeURIComponent('customer 5')}`),
    ],
    'customers of a plan': plans.map((plan) => list(`plan=${plan}`)),
    'customers, a filter that none pass': [
      list('state=suspended'),
      list('state=suspended&sort=name'),
      list('state=suspended&sort=oldest'),
    ],
    'customers who never signed in': [list('signedIn=never'), list('signedIn=never&sort=name')],
    'customers whose mail failed': [list('mail=failed'), list('mail=failed&sort=name')],
    'customers who came in a range': [list(range), list(`${range}&sort=name`), list(`${range}&sort=oldest`)],
    'customers, all filters': [
      list(`plan=${plans[1]}&state=active&signedIn=never&mail=failed&${range}`),
      list(`plan=${plans[1]}&state=active&signedIn=never&mail=failed&${range}&sort=name`),
    ],
    'customers searched': [
      list('q=customer'),
      list('q=Customer+99'),
      list('q=c'),
      list(`q=owner-${last}%40example.com`),
      list('q=nobody.example.com'),
      list('q=nobody'),
    ],
    'customers searched with filters': [
      list('q=customer&state=suspended'),
      list(`q=customer&mail=failed&plan=${plans[2]}`),
    ],
    'one customer': customers.filter((_, index) => index % 999 === 0).map((id) => `/admin/customers/${id}`),
    'revenue of 12 months': days.map((to) => `/admin/revenue?to=${to}`),
    'revenue of 8 quarters': days.map((to) => `/admin/revenue?step=quarter&to=${to}`),
    'revenue of 5 years': days.map((to) => `/admin/revenue?step=year&to=${to}`),
    'revenue of 10 years by month': [`/admin/revenue?from=${day(9.9 * YEAR_MS)}&to=${day(0)}`],
    ...Object.fromEntries(
      ['paying', 'free', 'new', 'expansion', 'contraction', 'churn', 'reactivation'].map((figure) => [
        `customers behind "${figure}"`,
        behind(figure),
      ]),
    ),
    'account.json?as_of=': [...days, ...oldDays].map((day) => `/api/account.json?api_key=${key}&as_of=${day}`),
  };
}

/** Returns the date of the day that was this many milliseconds ago. */
function day(agoMs: number): string {
  return new Date(Date.now() - agoMs).toISOString().slice(0, 10);
}
