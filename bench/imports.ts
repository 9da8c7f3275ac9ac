import { addAccount, type BenchAccount, openForFilling } from './data.ts';
import type { Running } from './processes.ts';
import { quietly } from './quiet-client.ts';
import { median, note, only, round, TURNS } from './report.ts';

const COUNT = 10_000;
const WORK = 'POST pages/import.json, 10,000 pages';
/** The number of pages in a section, including the section's own page. */
const SECTION_SIZE = 50;

/** Imports the pages of a large site into several accounts, one after another, while another account's summary is requested. */
export async function measurePageImport(
  service: Running,
  database: { dataDir: string; databaseUrl: string },
  on = '',
): Promise<void> {
  if (!`${on}${WORK}`.includes(only)) return;
  const { sites, other } = await fillAccounts(database);
  const body = Buffer.from(JSON.stringify({ pages: sections() }));
  const measure = async (work: string, query: string) => {
    const times: number[] = [];
    const importAll = async () => {
      for (const { key } of sites) {
        const started = performance.now();
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
        const sent = await fetch(`${service.url}/api/pages/import.json${query}`, { method: 'POST', headers, body });
        const answer = await sent.text();
        if (sent.status !== 200) throw new Error(answer.slice(0, 1000));
        times.push((performance.now() - started) / 1000);
      }
    };
    const done = importAll();
    const others = await quietly(`${service.url}/api/account.json?api_key=${other.key}`, 0, done);
    await done;
    note(`${on}${work}`, `${round(median(times), 1)} s`, 'under 5 s', median(times) < 5);
    note('… meanwhile account.json of another account, p99', `${round(others, 1)} ms`, 'under 50 ms', others < 50);
  };
  await measure(`${WORK}, a dry run`, '?import[dry_run]=true');
  await measure(WORK, '');
}

async function fillAccounts(database: { dataDir: string; databaseUrl: string }) {
  const db = await openForFilling({ ...database, databasePool: 1 });
  try {
    const sites: BenchAccount[] = [];
    for (let turn = 0; turn < TURNS; turn++) sites.push(await addAccount(db, `large-import-${turn}`));
    return { sites, other: await addAccount(db, 'beside-large-import') };
  } finally {
    await db.destroy();
  }
}

/** Returns pages of 1 KB in three levels. */
function sections() {
  const text = '<p>Fresh bread, from Tuesday to Sunday.</p>\n'.repeat(24);
  const page = (name: string) => ({ name, body: text, description: 'What there is today', is_hidden: false });
  return Array.from({ length: COUNT / SECTION_SIZE }, (_, section) => ({
    ...page(`Section ${section}`),
    children: Array.from({ length: 7 }, (_, group) => ({
      ...page(`Group ${section}.${group}`),
      children: Array.from({ length: 6 }, (_, at) => page(`Page ${section}.${group}.${at}`)),
    })),
  }));
}
