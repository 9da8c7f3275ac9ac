import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { onEachDatabaseAtOnce } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { openMailbox } from '../../test/mailbox.ts';
import type { Addresses } from '../addresses.ts';
import { takeTurnsAs } from '../db/connection-turns.ts';
import type { Db } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { newTraceId, Trace } from '../trace.ts';
import { claimMail, nextDueAt, renewClaims } from './claim-mail.ts';
import { listOutbox } from './list-outbox.ts';
import { openTransport } from './open-transport.ts';
import { enqueue, enqueueAll, type Message } from './outbox.ts';
import { OutboxWorker, type OutboxWorkerOptions } from './outbox-worker.ts';
import { TOKEN } from './placeholders.ts';
import { recordFailure, recordSent } from './record-delivery.ts';
import { retryDelays } from './retry-delays.ts';
import { retryFailedMail, retryKeptMail, retryMail, retryWaitingMail } from './retry-mail.ts';
import type { SmtpTimings } from './smtp-transport.ts';

const mailFrom = 'no-reply@freehold.test';
const [second, hour] = [1000, 3_600_000];

interface WorkerOptions extends Partial<OutboxWorkerOptions> {
  smtpUrl?: string;
  dataDir?: string;
  addresses?: Addresses;
  timings?: Partial<SmtpTimings>;
}

const here = { publicUrl: 'http://localhost:8080', sitesDomain: 'localhost:8080' };

/** Starts a worker with its own clock, which the test advances, and collects its log lines. */
function startWorker(db: Db, { smtpUrl = '', dataDir = '', addresses = here, timings, ...options }: WorkerOptions) {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const transport = openTransport({ smtpUrl, mailFrom, dataDir, ...addresses }, timings);
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const worker = new OutboxWorker(db, transport, log, { now, random: () => 0.5, ...options });
  const stop = async () => {
    await worker.stop();
    await transport.close();
  };
  worker.start();
  return {
    stop,
    /** Stops the worker at the end of the test, before the database is closed. */
    [Symbol.asyncDispose]: stop,
    logged: () => lines.join(''),
    nudge: () => worker.nudge(),
    letTimePass: (milliseconds: number) => {
      clock.ahead += milliseconds;
      worker.nudge();
    },
  };
}

function messageTo(toEmail: string): Message {
  return {
    fromName: 'Agency',
    toName: 'Carl',
    toEmail,
    replyTo: null,
    subject: 'Hello',
    text: 'Hello Carl',
    html: '<p>Hello Carl</p>',
  };
}

/** Queues a message to each address and returns the ids. */
async function queue(db: Db, accountId: number, addresses: string[]): Promise<number[]> {
  await db.transaction().execute(async (trx) => {
    for (const toEmail of addresses) {
      await enqueue(trx, accountId, mailFrom, messageTo(toEmail));
    }
  });
  const rows = await listOutbox(db, { accountId, limit: addresses.length });
  return rows.map(({ id }) => id).reverse();
}

async function row(db: Db, id: number) {
  return db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Waits until the worker has written the outcome, which happens after the mail server's response. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5);
}

const hasStatus = (db: Db, id: number, status: string) => async () => (await row(db, id)).status === status;
const hasAttempts = (db: Db, id: number, attempts: number) => async () => (await row(db, id)).attempts >= attempts;

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'freehold-mail-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

onEachDatabaseAtOnce('the outbox worker', 4, (open) => {
  test("a new customer's user is mailed login instructions once, without the password", async (t) => {
    const { db } = await open(t);
    const mailbox = await openMailbox(t);
    const { accountId } = await makeAccount(db, 'agency');
    await using worker = startWorker(db, { smtpUrl: mailbox.url, pollIntervalMs: hour });
    const customerId = await makeCustomer(db, accountId, 'carls-cakes');
    worker.nudge();
    const [message] = await mailbox.received(1);
    assert.equal(message!.from, mailFrom);
    assert.deepEqual(message!.to, ['carl@example.com']);
    const { email, raw } = message!;
    assert.deepEqual(email.from, { address: mailFrom, name: 'Account agency' });
    assert.deepEqual(email.to, [{ address: 'carl@example.com', name: 'Carl Customer' }]);
    assert.equal(email.subject, 'Your website Customer carls-cakes is ready');
    assert.match(raw, /^Auto-Submitted: auto-generated\r$/m);
    assert.match(raw, /^Content-Type: multipart\/alternative/m);
    assert.match(email.text!, /http:\/\/carls-cakes\.localhost:8080/);
    assert.match(email.html!, /<a href="http:\/\/carls-cakes\.localhost:8080/);
    assert.doesNotMatch(raw + email.text + email.html, /correct horse/);
    const [listed] = await listOutbox(db, { accountId: customerId, limit: 10 });
    assert.equal(email.messageId, listed!.message_id);
    await until(hasStatus(db, listed!.id, 'sent'));
    await worker.stop();
    assert.equal(mailbox.messages.length, 1);
    const sent = await row(db, listed!.id);
    assert.equal(sent.attempts, 1);
    assert.equal(sent.claimed_by, null);
    assert.ok(sent.sent_at! >= sent.created_at);
    assert.doesNotMatch(worker.logged(), /carl@example\.com|has set up/);
  });

  test('the log line of a sent message names the trace of the request that queued it', async (t) => {
    const { db } = await open(t);
    const mailbox = await openMailbox(t);
    const { accountId } = await makeAccount(db, 'agency');
    const request = new Trace(newTraceId());
    const [id] = await takeTurnsAs(accountId, () => queue(db, accountId, ['carl@example.com']), request);
    const [other] = await queue(db, accountId, ['dora@example.com']);
    const worker = startWorker(db, { smtpUrl: mailbox.url });
    await until(hasStatus(db, id!, 'sent'));
    await until(hasStatus(db, other!, 'sent'));
    await worker.stop();
    const lines = worker
      .logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const sent = lines.filter(({ msg }) => msg === 'Mail sent.').map(({ mail, traceId }) => [mail, traceId]);
    assert.deepEqual(Object.fromEntries(sent), { [id!]: request.id, [other!]: undefined });
  });

  test('links in a message use the addresses at the time of sending, not of queueing', async (t) => {
    const { db } = await open(t);
    const mailbox = await openMailbox(t);
    const { accountId } = await makeAccount(db);
    const customerId = await makeCustomer(db, accountId, 'carls-cakes');
    const id = (await listOutbox(db, { accountId: customerId, limit: 1 }))[0]!.id;
    const dataDir = await folder(t);
    const kept = startWorker(db, { dataDir });
    await until(hasStatus(db, id, 'kept'));
    await kept.stop();
    const [file] = await readdir(join(dataDir, 'mail'));
    const email = await PostalMime.parse(await readFile(join(dataDir, 'mail', file!)));
    assert.match(email.text!, /: http:\/\/localhost:8080\/sign-in\?account=carls-cakes\n/);
    assert.match(email.text!, /: http:\/\/carls-cakes\.localhost:8080\n/);

    const addresses = { publicUrl: 'https://example.com/a&b', sitesDomain: 'sites.example.com' };
    await using _ = startWorker(db, { smtpUrl: mailbox.url, addresses });
    await db.transaction().execute(retryKeptMail);
    const [message] = await mailbox.received(1);
    const { text, html } = message!.email;
    assert.match(text!, /: https:\/\/example\.com\/a&b\/sign-in\?account=carls-cakes\n/);
    assert.match(text!, /: https:\/\/carls-cakes\.sites\.example\.com\n/);
    assert.match(html!, /<a href="https:\/\/example\.com\/a&amp;b\/sign-in\?account=carls-cakes"/);
    assert.match(html!, /<a href="https:\/\/carls-cakes\.sites\.example\.com"/);
    assert.doesNotMatch(text! + html!, /localhost/);
  });

  test('a message that another process has queued is found by polling and sent', async (t) => {
    const { db, config } = await open(t);
    const mailbox = await openMailbox(t);
    const { accountId } = await makeAccount(db);
    await using _worker = startWorker(db, { smtpUrl: mailbox.url, pollIntervalMs: 20 });
    const other = await openDatabase(config);
    await queue(other, accountId, ['a@example.com']);
    await other.destroy();
    await mailbox.received(1);
  });

  test('bulk messages are sent after all other due messages, oldest first', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const bulk = ['b0', 'b1', 'b2'].map((name) => ({ accountId, message: messageTo(`${name}@example.com`) }));
    await db.transaction().execute((trx) => enqueueAll(trx, mailFrom, bulk));
    await queue(db, accountId, ['s0@example.com', 's1@example.com']);
    const claim = { worker: 'me', now: Date.now(), leaseMs: hour };
    const names = await db.transaction().execute(async (trx) => {
      const claims = [await claimMail(trx, 1, claim), await claimMail(trx, 3, claim), await claimMail(trx, 3, claim)];
      return claims.map((each) => each.map(({ to_email }) => to_email.slice(0, 2)).sort());
    });
    assert.deepEqual(names, [['s0'], ['b0', 'b1', 's1'], ['b2']]);
  });

  test('mail to customers of a customer is sent after all other mail', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const resellerId = await makeCustomer(db, accountId);
    const customerId = await makeCustomer(db, resellerId);
    await queue(db, accountId, ['s0@example.com']);
    const claim = { worker: 'me', now: Date.now(), leaseMs: hour };
    const receivers = await db.transaction().execute(async (trx) => {
      const claims = [await claimMail(trx, 1, claim), await claimMail(trx, 1, claim), await claimMail(trx, 1, claim)];
      return claims.map(([message]) => message!.account_id);
    });
    assert.deepEqual(receivers, [resellerId, accountId, customerId]);
  });

  test('two workers on one database send each of 40 messages exactly once', async (t) => {
    const { db, config } = await open(t);
    const other = await openDatabase(config);
    const mailbox = await openMailbox(t);
    const { accountId } = await makeAccount(db);
    const addresses = Array.from({ length: 40 }, (_, n) => `person-${n}@example.com`);
    await queue(db, accountId, addresses);
    const workers = [db, other].map((one) => startWorker(one, { smtpUrl: mailbox.url }));
    await until(async () => (await listOutbox(db, { status: 'sent', limit: 100 })).length === 40);
    for (const worker of workers) await worker.stop();
    await other.destroy();
    assert.deepEqual(mailbox.messages.flatMap(({ to }) => to).sort(), addresses.sort());
  });

  test("a refused message fails at once, and the server's response is stored", async (t) => {
    const { db } = await open(t);
    const mailbox = await openMailbox(t);
    mailbox.treat = () => 'refuse';
    const { accountId } = await makeAccount(db);
    const [id] = await queue(db, accountId, ['nobody@example.com']);
    await using worker = startWorker(db, { smtpUrl: mailbox.url });
    await until(hasStatus(db, id!, 'failed'));
    const failed = await row(db, id!);
    assert.equal(failed.attempts, 1);
    assert.equal(failed.last_error, '550 5.1.1 <nobody@example.com>: nobody of that name');
    worker.letTimePass(72 * hour);
    await worker.stop();
    assert.equal(mailbox.recipients.length, 1);
    assert.match(worker.logged(), /550 5\.1\.1 <…>: nobody of that name/);
  });

  test('a message that is refused temporarily is retried after growing delays and arrives once', async (t) => {
    const { db } = await open(t);
    const mailbox = await openMailbox(t);
    mailbox.treat = () => 'defer';
    const { accountId } = await makeAccount(db);
    const [id] = await queue(db, accountId, ['a@example.com']);
    await using worker = startWorker(db, { smtpUrl: mailbox.url });
    for (const attempts of [1, 2, 3]) {
      const before = Date.now();
      await until(hasAttempts(db, id!, attempts));
      const waiting = await row(db, id!);
      assert.equal(waiting.status, 'queued');
      assert.equal(waiting.claimed_by, null);
      assert.match(waiting.last_error!, /^451 4\.7\.1 .*greylisted/);
      const passed = retryDelays.slice(0, attempts).reduce((sum, delay) => sum + delay, 0);
      assert.ok(waiting.due_at >= before + passed - 1000, 'the delay must grow');
      assert.equal(mailbox.recipients.length, attempts);
      if (attempts === 3) mailbox.treat = () => 'accept';
      worker.letTimePass(retryDelays[attempts - 1]!);
    }
    await mailbox.received(1);
    await until(hasStatus(db, id!, 'sent'));
    await worker.stop();
    assert.equal(mailbox.messages.length, 1);
    assert.equal((await row(db, id!)).last_error, null);
  });

  test('a message fails after three days of retries, and can then be retried from the start', async (t) => {
    const { db } = await open(t);
    const mailbox = await openMailbox(t);
    await mailbox.close();
    const { accountId } = await makeAccount(db);
    const [id] = await queue(db, accountId, ['a@example.com']);
    await db
      .transaction()
      .execute((trx) =>
        trx.updateTable('outbox').set({ attempts: retryDelays.length }).where('id', '=', id!).execute(),
      );
    await using worker = startWorker(db, { smtpUrl: mailbox.url });
    await until(hasStatus(db, id!, 'failed'));
    assert.match((await row(db, id!)).last_error!, /ECONNREFUSED/);
    await mailbox.open();
    assert.equal(await db.transaction().execute((trx) => retryFailedMail(trx)), 1);
    assert.equal((await row(db, id!)).attempts, 0);
    worker.nudge();
    await mailbox.received(1);
    await until(hasStatus(db, id!, 'sent'));
    await assert.rejects(
      db.transaction().execute((trx) => retryMail(trx, id!)),
      { message: 'message: already_sent' },
    );
    await assert.rejects(
      db.transaction().execute((trx) => retryMail(trx, id! + 1)),
      { code: 'not_found' },
    );
  });

  test('the outbox lists the messages that match the filter, newest first, without their contents', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const { accountId: other } = await makeAccount(db);
    const ids = await queue(db, accountId, ['a@example.com', 'b@example.com', 'c@example.com']);
    await queue(db, other, ['d@example.com']);
    await db.transaction().execute((trx) => recordSent(trx, [ids[0]!], Date.now()));
    const listed = await listOutbox(db, { accountId, limit: 2 });
    assert.deepEqual(
      listed.map(({ to_email }) => to_email),
      ['c@example.com', 'b@example.com'],
    );
    assert.ok(!('text' in listed[0]!) && !('html' in listed[0]!));
    assert.deepEqual(
      (await listOutbox(db, { status: 'sent', limit: 10 })).map(({ id }) => id),
      [ids[0]],
    );
    assert.equal((await listOutbox(db, { status: 'queued', limit: 10 })).length, 3);
  });

  test('a retry makes a waiting message due now and leaves a message that is being sent unchanged', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const [waiting, claimed] = await queue(db, accountId, ['a@example.com', 'b@example.com']);
    const now = Date.now();
    await db.transaction().execute(async (trx) => {
      const rows = await claimMail(trx, 2, { worker: 'one', now, leaseMs: 30 * second });
      const first = rows.find(({ id }) => id === waiting)!;
      await recordFailure(trx, first, { serverReply: 'later', dueAt: now + hour, isRefused: false });
      await retryMail(trx, waiting!);
      await retryMail(trx, claimed!);
      await trx.updateTable('outbox').set({ attempts: 1 }).where('id', '=', claimed!).execute();
      assert.equal(await retryWaitingMail(trx), 0, 'one message has no attempts any more, the other is being sent');
    });
    const retried = await row(db, waiting!);
    assert.ok(retried.due_at <= Date.now());
    assert.equal(retried.attempts, 0);
    assert.equal(retried.last_error, 'later');
    assert.equal((await row(db, claimed!)).due_at, now + 30 * second);
  });

  test('a recipient whose server hangs and a refused recipient do not delay messages to others', async (t) => {
    const { db } = await open(t);
    const mailbox = await openMailbox(t);
    mailbox.treat = (address) =>
      address.startsWith('mute') ? 'mute' : address.startsWith('bad') ? 'refuse' : 'accept';
    const { accountId } = await makeAccount(db);
    const addresses = ['mute-1@example.com', 'bad@example.com', 'mute-2@example.com'];
    const good = Array.from({ length: 20 }, (_, n) => `good-${n}@example.com`);
    const ids = await queue(db, accountId, [...addresses, ...good]);
    await using worker = startWorker(db, { smtpUrl: mailbox.url, stopTimeoutMs: 0 });
    await mailbox.received(20);
    assert.deepEqual(mailbox.messages.flatMap(({ to }) => to).sort(), good.sort());
    await worker.stop();
    assert.equal((await row(db, ids[0]!)).status, 'queued');
  });

  test('a server that accepts a connection and sends nothing causes a timeout, and the message stays queued', async (t) => {
    const { db } = await open(t);
    const sockets = new Set<{ destroy(): void }>();
    const server = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { accountId } = await makeAccount(db);
    const [id] = await queue(db, accountId, ['a@example.com']);
    const { port } = server.address() as { port: number };
    await using _worker = startWorker(db, { smtpUrl: `smtp://127.0.0.1:${port}`, timings: { greetingTimeout: 50 } });
    await until(hasAttempts(db, id!, 1));
    const waiting = await row(db, id!);
    assert.equal(waiting.status, 'queued');
    assert.match(waiting.last_error!, /greeting/i);
  });

  test('a server that never finishes with a message causes a timeout, and the message stays queued', async (t) => {
    const { db } = await open(t);
    const mailbox = await openMailbox(t);
    mailbox.treat = () => 'mute';
    const { accountId } = await makeAccount(db);
    const [id] = await queue(db, accountId, ['a@example.com']);
    await using _worker = startWorker(db, { smtpUrl: mailbox.url, timings: { sendTimeout: 50 } });
    await until(hasAttempts(db, id!, 1));
    assert.match((await row(db, id!)).last_error!, /^Timeout/);
  });

  test('a message whose server hangs up before confirming is retried with the same Message-ID', async (t) => {
    const { db } = await open(t);
    const mailbox = await openMailbox(t);
    mailbox.treat = () => 'drop';
    const { accountId } = await makeAccount(db);
    const [id] = await queue(db, accountId, ['a@example.com']);
    await using worker = startWorker(db, { smtpUrl: mailbox.url });
    await until(hasAttempts(db, id!, 1));
    assert.equal(mailbox.recipients.length, 1, 'the transport must not retry on its own');
    mailbox.treat = () => 'accept';
    worker.letTimePass(retryDelays[0]!);
    const [message] = await mailbox.received(1);
    assert.equal(message!.email.messageId, (await row(db, id!)).message_id);
  });

  test("when a crashed worker's lease ends, another worker sends its messages once", async (t) => {
    const { db } = await open(t);
    const mailbox = await openMailbox(t);
    const { accountId } = await makeAccount(db);
    const [id] = await queue(db, accountId, ['a@example.com']);
    const now = Date.now();
    const claim = (worker: string, at: number) =>
      db.transaction().execute((trx) => claimMail(trx, 5, { worker, now: at, leaseMs: 30 * second }));
    const crashed = await claim('crashed', now);
    assert.deepEqual(
      crashed.map((message) => message.id),
      [id],
    );
    assert.deepEqual(await claim('early', now + 29 * second), []);
    assert.equal(await nextDueAt(db), now + 30 * second);
    await using worker = startWorker(db, { smtpUrl: mailbox.url, pollIntervalMs: hour });
    worker.letTimePass(31 * second);
    await mailbox.received(1);
    await until(hasStatus(db, id!, 'sent'));
    // If the crashed worker comes back, it can neither keep the message nor undo that it was sent.
    await db.transaction().execute(async (trx) => {
      await renewClaims(trx, [id!], { worker: 'crashed', now: now + hour, leaseMs: hour });
      await recordFailure(trx, crashed[0]!, { serverReply: 'too late', dueAt: now, isRefused: false });
      await recordSent(trx, [id!], now + hour);
    });
    const sent = await row(db, id!);
    assert.equal(sent.status, 'sent');
    assert.equal(sent.attempts, 1);
    assert.equal(sent.last_error, null);
    await worker.stop();
    assert.equal(mailbox.messages.length, 1);
  });

  test('a lease is renewed while a message is being sent', async (t) => {
    const { db } = await open(t);
    const mailbox = await openMailbox(t);
    mailbox.treat = () => 'mute';
    const { accountId } = await makeAccount(db);
    const [id] = await queue(db, accountId, ['a@example.com']);
    // The worker's clock stands still, so that no lease ends while this process or the database waits for a processor.
    let time = Date.now();
    await using worker = startWorker(db, { smtpUrl: mailbox.url, leaseMs: 90, stopTimeoutMs: 0, now: () => time });
    await mailbox.asked(1);
    const isRenewed = async () => (await row(db, id!)).due_at === time + 90;
    // The steps add up to more than the first lease.
    for (let moment = 0; moment < 3; moment++) {
      time += 60;
      await until(isRenewed);
      worker.nudge();
    }
    assert.equal(mailbox.recipients.length, 1);
  });

  test('stop waits for a message that is being sent, and starts no other', async (t) => {
    const { db } = await open(t);
    const { promise: mayAnswer, resolve: answerNow } = Promise.withResolvers<void>();
    const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
    const mailbox = await openMailbox(t, {
      onMailFrom: (_address, _session, answer) => {
        wasAsked();
        void mayAnswer.then(() => answer());
      },
    });
    const { accountId } = await makeAccount(db);
    const ids = await queue(db, accountId, ['a@example.com', 'b@example.com']);
    await using worker = startWorker(db, { smtpUrl: mailbox.url, concurrency: 1 });
    // Waits until the message is being sent: a worker that is stopped before releases it.
    await asked;
    const stopped = worker.stop();
    answerNow();
    await stopped;
    assert.equal((await row(db, ids[0]!)).status, 'sent');
    const other = await row(db, ids[1]!);
    assert.equal(other.status, 'queued');
    assert.equal(other.claimed_by, null);
    assert.equal(mailbox.messages.length, 1);
  });

  test('without a mail server each message is stored as one private .eml file, with a warning in the log', async (t) => {
    const { db } = await open(t);
    const dataDir = await folder(t);
    const { accountId } = await makeAccount(db);
    const [id] = await queue(db, accountId, ['jürgen@exämple.com']);
    await using worker = startWorker(db, { dataDir });
    await until(hasStatus(db, id!, 'kept'));
    // Queues the message again, as after a crash, which overwrites the same file.
    await db
      .transaction()
      .execute((trx) => trx.updateTable('outbox').set({ status: 'queued', due_at: 0 }).where('id', '=', id!).execute());
    worker.nudge();
    await until(hasStatus(db, id!, 'kept'));
    await worker.stop();
    const names = await readdir(join(dataDir, 'mail'));
    assert.equal(names.length, 1);
    assert.match(names[0]!, /^\d+-[\da-f-]{36}\.eml$/);
    const file = join(dataDir, 'mail', names[0]!);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const content = await readFile(file);
    assert.match(content.toString(), /^Content-Transfer-Encoding: 8bit\r$/m, 'the body must be readable in the file');
    const email = await PostalMime.parse(content);
    assert.equal(email.subject, 'Hello');
    assert.equal(email.text?.trim(), 'Hello Carl');
    assert.equal(email.messageId, (await row(db, id!)).message_id);
    const warnings = worker.logged().match(/"level":\d+.*Mail goes to files in/g);
    assert.equal(warnings?.length, 1);
    assert.match(warnings[0]!, /"level":40/, 'the line must be a warning');
    assert.doesNotMatch(worker.logged(), /Mail sent|SMTP_URL is no longer set/);
    assert.match(worker.logged(), /Mail kept as a file/);
  });

  test('messages stored as files without a mail server can be sent later, with their links', async (t) => {
    const { db } = await open(t);
    const dataDir = await folder(t);
    const mailbox = await openMailbox(t);
    const { accountId } = await makeAccount(db);
    const [first] = await queue(db, accountId, ['a@example.com']);
    const before = startWorker(db, { smtpUrl: mailbox.url });
    await until(hasStatus(db, first!, 'sent'));
    await before.stop();
    assert.doesNotMatch(before.logged(), /kept/);

    const message = {
      fromName: 'Agency',
      toName: 'Carl',
      toEmail: 'b@example.com',
      replyTo: null,
      subject: 'Link',
      secret: 'opens-it',
    };
    const texts = { text: `See #${TOKEN}`, html: `<p>${TOKEN}</p>` };
    await db.transaction().execute((trx) => enqueue(trx, accountId, mailFrom, { ...message, ...texts }));
    const [kept] = await listOutbox(db, { accountId, limit: 1 });
    const without = startWorker(db, { dataDir });
    await until(hasStatus(db, kept!.id, 'kept'));
    assert.equal((await row(db, kept!.id)).sent_at, null);
    await until(async () => /"level":40.*SMTP_URL is no longer set.*mail retry --kept/.test(without.logged()));
    await without.stop();
    assert.equal(mailbox.messages.length, 1);
    const statusOf = async () => (await listOutbox(db, { accountId, limit: 9 })).map(({ status }) => status);
    assert.deepEqual(await statusOf(), ['kept', 'sent']);
    assert.deepEqual(
      (await listOutbox(db, { status: 'kept', limit: 9 })).map(({ id }) => id),
      [kept!.id],
    );
    assert.deepEqual(
      (await listOutbox(db, { status: 'sent', limit: 9 })).map(({ id }) => id),
      [first],
    );

    await using again = startWorker(db, { smtpUrl: mailbox.url });
    await until(async () => /"level":30.*1 message was kept as files.*mail retry --kept/.test(again.logged()));
    assert.equal(mailbox.messages.length, 1, 'stored messages must not be sent before the operator retries them');
    const retry = () => db.transaction().execute(retryKeptMail);
    assert.equal(await retry(), 1);
    again.nudge();
    const { raw, email } = (await mailbox.received(2))[1]!;
    assert.match(raw, /#opens-it/);
    assert.equal(email.messageId, kept!.message_id);
    await until(async () => (await row(db, kept!.id)).sent_at !== null);
    assert.deepEqual(await statusOf(), ['sent', 'sent']);
    assert.equal((await row(db, kept!.id)).secret, null);
    assert.equal(await retry(), 0);
  });
});
