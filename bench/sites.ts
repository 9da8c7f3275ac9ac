import { Agent, request } from 'node:http';
import type { Db } from '../src/db/database.ts';
import { createPage } from '../src/pages/create-page.ts';
import { addAccount, type BenchAccount } from './data.ts';
import { load } from './load.ts';
import type { Running } from './processes.ts';
import { median, note, only, ratio, SECONDS } from './report.ts';

/*
 * Measures sites: a cached page against a bare server that writes as many bytes, and pages that are not cached, requested one
 * after another on one connection.
 */

export interface SiteData {
  readonly site: BenchAccount;
}

/** The number of uncached pages in each measurement. */
const COLD = 98;
const SITE = 'visited.localhost';
const SMALL_SITE = 'hundred-pages.localhost';
const LARGE_SITE = 'many-pages.localhost';

/** Adds accounts with 1,000 and 100 pages of 10 KB of Markdown, and some such pages to the account of 100,000. */
export async function fillSites(db: Db, manyPages: BenchAccount): Promise<SiteData> {
  const site = await addAccount(db, 'visited');
  const [first] = await addMarkdownPages(db, site, { from: 0, count: 50, parentId: undefined });
  await addMarkdownPages(db, site, { from: 50, count: 950, parentId: first });
  const small = await addAccount(db, 'hundred-pages');
  const [parent] = await addMarkdownPages(db, small, { from: 1000, count: 1, parentId: undefined });
  await addMarkdownPages(db, small, { from: 0, count: COLD, parentId: parent });
  const { id } = await db
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', manyPages.id)
    .where('name', '=', 'Many 1')
    .executeTakeFirstOrThrow();
  await addMarkdownPages(db, manyPages, { from: 0, count: COLD, parentId: id });
  await db.transaction().execute((trx) =>
    createPage(trx, site.id, {
      name: 'Warm',
      body: `<h2>Heading</h2>${'<p>A paragraph of ordinary length, such as people write on their pages.</p>'.repeat(29)}`,
      parentId: undefined,
      isHidden: undefined,
      description: undefined,
      bodyFormat: 'wysiwyg_format',
      userId: site.userId,
      quota: Number.MAX_SAFE_INTEGER,
      ip: '192.0.2.1',
    }),
  );
  return { site };
}

/** Measures cached pages by requests a second of both servers, and uncached pages by one client's median wait on an idle service. */
export async function measureSites(service: Running, bare: Running): Promise<void> {
  const { bytes } = await ask(service.url, SITE, '/warm');
  const headers = { Host: SITE };
  await ratio(
    `site: a page of ${(bytes / 1000).toFixed(1)} KB, warm`,
    0.85,
    () => load({ url: `${service.url}/warm`, headers, connections: 16, seconds: SECONDS }),
    () => load({ url: `${bare.url}/bytes/${bytes}`, connections: 16, seconds: SECONDS }),
  );
  const work = 'site: a page of 10 KB of Markdown, cold, 1,000 pages';
  if (work.includes(only)) {
    const middle = median(await cold(service.url, SITE, '/markdown-0/markdown-', { from: 50, count: COLD }));
    note(work, `${middle.toFixed(1)} ms`, 'under 15 ms', middle < 15);
  }
  await compareColdSites(service);
}

/** Compares pages of the largest account with pages of a small one. `prefix` names the database in the results. */
export async function compareColdSites(service: Running, prefix = ''): Promise<void> {
  const work = `${prefix}site: a page of 10 KB of Markdown, cold, 100,000 pages against 100`;
  if (!work.includes(only)) return;
  // Both are measured in turns, like every comparison.
  const [small, large]: [number[], number[]] = [[], []];
  for (let from = 0; from < COLD; from += COLD / 2) {
    small.push(...(await cold(service.url, SMALL_SITE, '/markdown-1000/markdown-', { from, count: COLD / 2 })));
    large.push(...(await cold(service.url, LARGE_SITE, '/many-1/markdown-', { from, count: COLD / 2 })));
  }
  const [short, long] = [median(small), median(large)];
  const text = `${(long / short).toFixed(2)} times as long (${long.toFixed(1)} ms against ${short.toFixed(1)} ms)`;
  note(work, text, 'at most 3 times', long <= 3 * short);
}

/** Returns how long a client waits for each uncached page, in milliseconds. */
async function cold(
  url: string,
  host: string,
  start: string,
  { from, count }: { from: number; count: number },
): Promise<number[]> {
  const times: number[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let index = from; index < from + count; index++) {
    const started = performance.now();
    const { status } = await ask(url, host, `${start}${index}`, agent);
    times.push(performance.now() - started);
    if (status !== 200) throw new Error(`${start}${index}: ${status}`);
  }
  agent.destroy();
  return times;
}

/** Sends a request with the host of a site, which `fetch` cannot do. */
function ask(url: string, host: string, path: string, agent?: Agent): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const headers = { Host: host };
    request(new URL(path, url), { headers, ...(agent && { agent }) }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ status: response.statusCode!, bytes }));
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

/** Adds pages "Markdown 0", "Markdown 1", … of 10 KB with headings, lists, links, a table and code. */
async function addMarkdownPages(
  db: Db,
  { id, userId }: BenchAccount,
  { from, count, parentId }: { from: number; count: number; parentId: number | undefined },
): Promise<number[]> {
  return db.transaction().execute(async (trx) => {
    const ids: number[] = [];
    for (let index = from; index < from + count; index++) {
      ids.push(
        await createPage(trx, id, {
          name: `Markdown ${index}`,
          body: markdown(index),
          parentId: parentId?.toString(),
          isHidden: undefined,
          description: undefined,
          bodyFormat: 'markdown_format',
          userId,
          quota: Number.MAX_SAFE_INTEGER,
          ip: '192.0.2.1',
        }),
      );
    }
    return ids;
  });
}

function markdown(number: number): string {
  const sentence = `The rest of the paragraph is as long as paragraphs are when somebody has something to say about ${number}. `;
  const section = (index: number) => `## Section ${index}

Some **bold** and *slanted* words, a [link](/markdown-${index}), and \`code\`. ${sentence.repeat(3)}

${sentence.repeat(2)}${index % 3 === 0 ? `And a footnote.[^${index}]\n\n[^${index}]: Where it comes from.` : ''}

- one thing, with its explanation beside it
- another thing, which is ~~not~~ there
- and a last one, since there are always three
${index % 3 === 0 ? `\n| what | how many |\n|---|--:|\n| loaves | ${index} |\n| rolls | ${index * 12} |\n` : ''}`;
  let text = `Page ${number} of many.\n\n`;
  for (let index = 1; text.length < 10_000; index++) text += `${section(index)}\n`;
  return text.slice(0, 10_000);
}
