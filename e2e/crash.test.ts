import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DatabaseConfig, openDatabase } from '../src/db/open-database.ts';
import { runCli } from '../test/cli.ts';
import { databases, makeMigratedDatabase } from '../test/databases.ts';
import { openMailbox } from '../test/mailbox.ts';
import { flatten } from '../test/service.ts';
import { customerPath, manyConnections, pagePath, send } from './load.ts';
import { eventually, startProgram } from './program.ts';

for (const kind of databases) {
  test(`a crash loses nothing that was acknowledged and leaves nothing half done (${kind})`, async (t) => {
    const database = await makeMigratedDatabase(t, kind);
    const mailbox = await openMailbox(t);
    const settings = { SMTP_URL: mailbox.url, RATE_LIMIT: '0' };
    const first = await startProgram(t, database, settings);
    const { key, port } = first;
    const agent = manyConnections(t);
    const acknowledged = { pages: [] as string[], customers: [] as string[] };
    let running = true;
    const client = async (path: (name: string) => string, names: string[], prefix: string) => {
      for (let count = 0; running; count++) {
        const name = `${prefix}-${count}`;
        const answer = await send(agent, port, 'POST', path(name)).catch(() => undefined);
        // The connection was cut off: the request may or may not have been processed.
        if (!answer) return;
        assert.equal(answer.status, 200, answer.body);
        names.push(name);
      }
    };
    const clients = [
      ...Array.from({ length: 8 }, (_, index) =>
        client((name) => pagePath(key, name), acknowledged.pages, `p${index}`),
      ),
      ...Array.from({ length: 2 }, (_, index) =>
        client((name) => customerPath(key, name), acknowledged.customers, `c${index}`),
      ),
    ];
    const enough = () => acknowledged.pages.length >= 200 && acknowledged.customers.length >= 6;
    await Promise.race([...clients, eventually(t, async () => undefined, enough)]);
    assert.ok(enough(), first.out);
    await first.kill();
    running = false;
    await Promise.all(clients);
    await letLeasesEnd(database);

    const second = await startProgram(t, database, settings);
    const pages = await second.service.pages(key);
    const names = new Set(pages.map(({ name }) => name));
    for (const name of acknowledged.pages) assert.ok(names.has(name), `${name} is lost`);
    assert.deepEqual(
      pages.map(({ position }) => Number(position)),
      pages.map((_, index) => index + 1),
    );
    assert.equal([...flatten(pages)].length, names.size);
    const doctor = await runCli(database, 'doctor', '--json');
    assert.deepEqual(JSON.parse(doctor.out).problems, []);

    // All messages are sent, whether or not the killed worker had claimed them.
    const { free_customers_count: customers } = await second.service.account(key);
    assert.ok(customers >= acknowledged.customers.length);
    const messages = await mailbox.receivedOnce(customers);
    const times = new Map<string, Set<string>>();
    for (const { to, email } of messages) {
      for (const address of to) times.set(address, (times.get(address) ?? new Set()).add(email.messageId!));
    }
    for (const name of acknowledged.customers) assert.ok(times.has(`${name}@example.com`), `no mail for ${name}`);
    for (const [address, ids] of times) assert.equal(ids.size, 1, `${address} got two different messages`);
    assert.equal(times.size, customers, 'one mail for each customer, and no others');
    assert.ok(messages.length <= customers + 5, 'only messages that were being sent may arrive twice');
    assert.deepEqual(await second.stop(), { code: 0, signal: null });
  });
}

/** Ends the claims on queued messages, as half a minute would: a claim is a due time in the future. */
async function letLeasesEnd(database: DatabaseConfig): Promise<void> {
  const db = await openDatabase(database);
  await db
    .transaction()
    .execute((trx) =>
      trx.updateTable('outbox').set({ due_at: Date.now() }).where('claimed_by', 'is not', null).execute(),
    );
  await db.destroy();
}
