import type { Data } from './fill.ts';
import { memoryOf, type Running } from './processes.ts';
import { quietly } from './quiet-client.ts';
import { median, note, only, ratio, round, TURNS } from './report.ts';
import { get, newPage } from './requests.ts';

/** Measures reads. On PostgreSQL (named by `on`), the ratios to the bare server have no limits. */
export async function measureReads(
  service: Running,
  bare: Running,
  { typical, manyCustomers, oneCustomer }: Data,
  on = '',
) {
  const list = `/api/pages.json?api_key=${typical.key}`;
  const answer = await fetch(service.url + list);
  const size = (await answer.arrayBuffer()).byteLength;
  const etag = answer.headers.get('etag')!;
  const account = `/api/account.json?api_key=${typical.key}`;
  const accountSize = (await (await fetch(service.url + account)).arrayBuffer()).byteLength;
  const ratios: Record<string, number | undefined> = {};
  ratios.list = await ratio(
    `${on}pages.json, 100 pages, ${round(size / 1000)} KB, unchanged`,
    on ? undefined : 0.9,
    () => get(service, list),
    () => get(bare, `/bytes/${size}`),
  );
  ratios.account = await ratio(
    `${on}account.json`,
    on ? undefined : 0.7,
    () => get(service, account),
    () => get(bare, `/bytes/${accountSize}`),
  );
  ratios.notModified = await ratio(
    `${on}pages.json, If-None-Match: 304`,
    on ? undefined : 0.7,
    () => get(service, list, { headers: { 'If-None-Match': etag } }),
    () => get(bare, '/304'),
  );
  await ratio(
    `${on}account.json, 100,000 customers against 1`,
    0.9,
    () => get(service, `/api/account.json?api_key=${manyCustomers.key}`),
    () => get(service, `/api/account.json?api_key=${oneCustomer.key}`),
  );
  return ratios;
}

/** Measures lists for 16 clients that create a page before each list, equally often on both servers. */
export async function measureChangedList(service: Running, tree: Running, { typical }: Data): Promise<void> {
  const work = 'pages.json, a page created before every request';
  if (!work.includes(only)) return;
  const clients = 16;
  const cycles = 4;
  // There are few turns, since the created pages stay and make the list longer.
  const turns = TURNS / 3;
  const time = async (base: string, add: (name: string) => string, list: string) => {
    let total = 0;
    const client = async (_: unknown, number: number) => {
      for (let cycle = 0; cycle < cycles; cycle++) {
        await (await fetch(base + add(`${number}-${cycle}`), { method: 'POST' })).arrayBuffer();
        const started = performance.now();
        // The list must be uncompressed, like the bare server's.
        await (await fetch(base + list, { headers: { 'Accept-Encoding': 'identity' } })).arrayBuffer();
        total += performance.now() - started;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return total / (clients * cycles);
  };
  const ours: number[] = [];
  const theirs: number[] = [];
  const page = newPage(typical);
  for (let turn = 0; turn <= turns; turn++) {
    const list = `/api/pages.json?api_key=${typical.key}`;
    ours.push(await time(service.url, (name) => `${page}changed-${turn}-${name}`, list));
    theirs.push(await time(tree.url, () => '/tree', '/tree'));
  }
  const [mine, bare] = [median(ours.slice(1)), median(theirs.slice(1))];
  note(work, `${round(bare / mine, 2)}  (${round(mine, 2)} ms against ${round(bare, 2)} ms)`, '1.00', bare >= mine);
}

/** Measures the answers to a client that changes a page and then requests the changes since its last request. */
export async function measureChanges(service: Running, { manyPages }: Data, prefix = ''): Promise<void> {
  const work = `${prefix}pages.json, what has changed of 100,000 pages`;
  if (!work.includes(only)) return;
  const headers = { Authorization: `Bearer ${manyPages.key}`, Prefer: 'return=representation' };
  const send = (path: string, method = 'GET') => fetch(`${service.url}/api/${path}`, { method, headers });
  const { id } = (await (await send('pages.json?page%5Bname%5D=Changed', 'POST')).json()) as { id: string };
  const list = await send('pages.json?fields=id&depth=1');
  await list.arrayBuffer();
  let version = Number(list.headers.get('Pages-Version'));
  const times: number[] = [];
  for (let turn = 0; turn < 100; turn++) {
    await (await send(`pages/${id}.json?page%5Bdescription%5D=${turn}`, 'PATCH')).arrayBuffer();
    const started = performance.now();
    const changes = (await (await send(`pages.json?since=${version}`)).json()) as {
      version: number;
      changed: unknown[];
    };
    times.push(performance.now() - started);
    if (changes.changed.length !== 1) throw new Error(JSON.stringify(changes));
    version = changes.version;
  }
  note(work, `${round(median(times), 1)} ms`, 'under 5 ms', median(times) < 5);
}

export async function measureLargeList(service: Running, { manyPages, empty }: Data): Promise<void> {
  const work = 'pages.json of 100,000 pages';
  if (!work.includes(only)) return;
  const before = memoryOf(service.pid);
  let size = 0;
  const started = performance.now();
  const reading = (async () => {
    const plain = { headers: { 'Accept-Encoding': 'identity' } };
    for await (const chunk of (await fetch(`${service.url}/api/pages.json?api_key=${manyPages.key}`, plain)).body!)
      size += chunk.length;
  })();
  const others = await quietly(`${service.url}/api/account.json?api_key=${empty.key}`, 0, reading);
  await reading;
  const seconds = (performance.now() - started) / 1000;
  const peak = memoryOf(service.pid, 'VmHWM');
  note(`${work}: time`, `${round(seconds, 2)} s for ${round(size / 1e6)} MB`);
  note(
    `${work}: memory, highest against before`,
    `${round(peak)} MB against ${round(before)} MB`,
    'under twice',
    peak < 2 * before,
  );
  note('… meanwhile account.json of another account, p99', `${round(others, 1)} ms`, 'under 50 ms', others < 50);
}
