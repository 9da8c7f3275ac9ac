import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { tokenFor } from '../test/person.ts';
import { addAccount, addManyPages, openForFilling } from './data.ts';
import type { Data } from './fill.ts';
import type { Running } from './processes.ts';
import { quietly } from './quiet-client.ts';
import { note, only, round } from './report.ts';

const WORK = 'a page deleted with 100,000 pages';

/** Measures deleting a page with a very large subtree in the admin app, on SQLite, and undoing that. */
export async function measureLargeChange(service: Running, dataDir: string, { empty }: Data): Promise<void> {
  if (!WORK.includes(only)) return;
  const { page, cookie } = await fillLargeTree(dataDir);
  const change = async (method: string, path: string) => {
    const origin = service.url.replace('127.0.0.1', 'localhost');
    const headers = { Host: new URL(origin).host, Origin: origin, Cookie: cookie };
    const sent = request(new URL(`/admin/${path}`, service.url), { method, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = await text(response);
    if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${answer}`);
    return JSON.parse(answer);
  };
  const measure = async (work: string, method: string, path: string) => {
    const started = performance.now();
    const changing = change(method, path);
    const others = await quietly(`${service.url}/api/account.json?api_key=${empty.key}`, 0, changing);
    note(work, `${round((performance.now() - started) / 1000, 1)} s`);
    note('… meanwhile account.json of another account, p99', `${round(others, 1)} ms`, 'under 50 ms', others < 50);
    return changing;
  };
  const { undo } = await measure(WORK, 'DELETE', `pages/${page}`);
  await measure('… and restored', 'POST', `undo/${undo}`);
}

/** Adds an account whose 100,000 pages are all below the first, and a session of its owner. */
async function fillLargeTree(dataDir: string): Promise<{ page: number; cookie: string }> {
  const db = await openForFilling({ dataDir, databaseUrl: '', databasePool: 1 });
  try {
    const account = await addAccount(db, 'large-tree');
    await addManyPages(db, account, 100_000);
    const first = sql`(select id from pages where account_id = ${account.id} and name = 'Many 1')`;
    await db.transaction().execute((trx) =>
      sql`
        update pages set parent_id = ${first}, position = position + 1000
        where account_id = ${account.id} and parent_id is null and name <> 'Many 1'`.execute(trx),
    );
    const { rows } = await sql<{ id: number }>`select ${first} as id`.execute(db);
    return { page: rows[0]!.id, cookie: `session=${await tokenFor(db, account.id, account.userId)}` };
  } finally {
    await db.destroy();
  }
}
