import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { sql } from 'kysely';
import { databases, openTestDatabase } from '../test/databases.ts';
import { makeAccount } from '../test/factories.ts';
import { flatten } from '../test/service.ts';
import { startProgram } from './program.ts';

const PAGES = 50_000;

for (const kind of databases) {
  test(`a list of ${PAGES} pages is complete, delays no other request and takes little memory (${kind})`, async (t) => {
    const { db, config } = await openTestDatabase(t, kind);
    const large = await makeAccount(db);
    const other = await makeAccount(db);
    const body = 'Lorem ipsum dolor sit amet. '.repeat(36);
    await db.transaction().execute(async (trx) => {
      // Each page is below the one with a tenth of its number: five levels, with ten pages to a parent except at the end.
      await sql`
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(PAGES)})
        insert into pages (id, account_id, parent_id, name, urlname, position, is_hidden, body_format, custom_date,
          created_at, created_by, updated_at, updated_by, version, body)
        select n, ${sql.lit(large.accountId)}, nullif(n / 10, 0), 'Page ' || n, 'page-' || n,
          case when n < 10 then n else n % 10 + 1 end, 0, 'markdown_format', 0, 0, ${sql.lit(large.userId)},
          0, ${sql.lit(large.userId)}, 1, ${sql.lit(body)} || n
        from numbers`.execute(trx);
    });
    const program = await startProgram(t, config, { RATE_LIMIT: '0' });
    const { service, pid } = program;
    for (let count = 0; count < 50; count++) await service.get('/api/account.json', other.key);
    await service.get('/api/pages.json', other.key);
    const idle = await memory(pid, 'VmRSS');

    const started = performance.now();
    const list = service.get('/api/pages.json', large.key);
    let listed = false;
    void list.then(() => {
      listed = true;
    });
    const times: number[] = [];
    while (!listed) {
      const startedAt = performance.now();
      assert.equal((await service.get('/api/account.json', other.key)).status, 200);
      times.push(performance.now() - startedAt);
    }
    const { status, bytes, headers } = await list;
    const took = performance.now() - started;
    const peak = await memory(pid, 'VmHWM');
    assert.equal(status, 200);
    assert.equal(Number(headers['content-length']), bytes.length);
    assert.ok(times.length > 20, 'other requests were answered meanwhile');

    const { pages } = JSON.parse(bytes.toString());
    let count = 0;
    for (const page of flatten(pages)) {
      const number = Number(page.id.slice('page_'.length));
      assert.equal(page.body, body + number);
      assert.equal(page.parent_id, number < 10 ? '0' : `page_${Math.floor(number / 10)}`);
      for (const [index, { position }] of page.children.entries()) assert.equal(position, String(index + 1));
      count += 1;
    }
    assert.equal(count, PAGES);
    // Held in memory as rows, text and bytes, the list would take five times the memory of the idle process.
    if (idle !== undefined) assert.ok(peak! < 2 * idle, `${peak} kB at most, ${idle} kB before`);
    assert.deepEqual(await readdir(program.temporaryFolder), []);
    assert.deepEqual(await program.stop(), { code: 0, signal: null });
    assert.deepEqual(await readdir(program.temporaryFolder), []);
    times.sort((a, b) => a - b);
    t.diagnostic(
      `${(bytes.length / 1e6).toFixed(0)} MB in ${took.toFixed(0)} ms; memory ${idle} kB, then at most ${peak} kB; ` +
        `${times.length} others, 99 % below ${times[Math.floor(times.length * 0.99)]?.toFixed(1)} ms`,
    );
  });
}

/** Returns a memory figure of a process in kB, or undefined on systems other than Linux. */
async function memory(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  return status === undefined ? undefined : Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
}
