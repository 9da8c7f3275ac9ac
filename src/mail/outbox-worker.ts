import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { takeTurnsForAll } from '../db/connection-turns.ts';
import { isUnavailable } from '../db/constraint.ts';
import type { Db } from '../db/database.ts';
import { recorded } from '../spans.ts';
import { stepOfHeader, traceField } from '../trace.ts';
import { claimMail, nextDueAt, releaseClaims, renewClaims } from './claim-mail.ts';
import { DeliveryError } from './delivery-error.ts';
import { adviceOnKeptMail } from './kept-mail.ts';
import type { OutboxRow } from './outbox.ts';
import { recordFailure, recordKept, recordSent } from './record-delivery.ts';
import { retryDelay } from './retry-delays.ts';
import type { Transport } from './transport.ts';

/** The options of the worker. All times are in milliseconds. */
export interface OutboxWorkerOptions {
  /** How many messages are sent at once, so that a slow server for one recipient does not block all others. */
  concurrency: number;
  /**
   * How long the messages of a crashed worker wait before another worker sends them. Leases are renewed three times per
   * period while a message is being sent.
   */
  leaseMs: number;
  /** The longest time until mail queued by another process is noticed. */
  pollIntervalMs: number;
  /** How long queued or sent messages wait for further ones, to share a transaction. */
  batchDelayMs: number;
  /** How long `stop` waits for messages that are being sent. */
  stopTimeoutMs: number;
  now: () => number;
  /** A random number from 0 up to 1, which spreads the delays before retries. */
  random: () => number;
}

/** The longest pause between attempts to record sent mail. */
const MAX_RETRY_DELAY_MS = 2000;

const defaults: OutboxWorkerOptions = {
  concurrency: 5,
  leaseMs: 30_000,
  pollIntervalMs: 3_000,
  batchDelayMs: 50,
  stopTimeoutMs: 10_000,
  now: Date.now,
  random: Math.random,
};

/**
 * Sends queued messages, each once, alongside any number of other workers on the same database: a message belongs to the
 * worker that holds its lease. A message is sent a second time, with the same Message-ID, only if a server's acceptance was
 * lost or could not be recorded, as in a crash.
 */
export class OutboxWorker {
  readonly #db: Db;
  readonly #transport: Transport;
  readonly #log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly #options: OutboxWorkerOptions;
  readonly #name = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  /** The messages that are being sent, by id. */
  readonly #sending = new Map<number, Promise<void>>();
  #state: 'new' | 'running' | 'stopping' | 'stopped' = 'new';
  /** The current poll of the outbox. */
  #polling: Promise<void> | undefined;
  #isPollRequested = false;
  #pollTimer: NodeJS.Timeout | undefined;
  #nudgeTimer: NodeJS.Timeout | undefined;
  /** Sent messages that will be recorded in one transaction. */
  #sentBatch: { ids: number[]; recorded: Promise<void> } | undefined;
  #renewalTimer: NodeJS.Timeout | undefined;

  constructor(
    db: Db,
    transport: Transport,
    log: Pick<Logger, 'info' | 'warn' | 'error'>,
    options: Partial<OutboxWorkerOptions> = {},
  ) {
    this.#db = db;
    this.#transport = transport;
    this.#log = log;
    this.#options = { ...defaults, ...options };
  }

  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'running';
    const { description, delivers } = this.#transport;
    this.#log[delivers ? 'info' : 'warn'](`Mail goes to ${description}.`);
    void this.#logAdvice();
    this.#renewalTimer = setInterval(() => void this.#renew(), this.#options.leaseMs / 3).unref();
    this.#requestPoll();
  }

  async #logAdvice(): Promise<void> {
    try {
      const { delivers } = this.#transport;
      const advice = await adviceOnKeptMail(this.#db, delivers);
      // Messages may have been stored before a server was set up, which deserves no warning.
      if (advice !== undefined) this.#log[delivers ? 'info' : 'warn'](advice);
    } catch (error) {
      this.#log.error({ err: error }, 'The outbox could not be read.');
    }
  }

  /**
   * Schedules a poll of the outbox shortly afterwards, so that messages queued together share it. Call it after the commit
   * of a transaction that queued a message. It costs next to nothing.
   */
  nudge(): void {
    if (this.#state !== 'running') return;
    this.#nudgeTimer ??= setTimeout(() => {
      this.#nudgeTimer = undefined;
      this.#requestPoll();
    }, this.#options.batchDelayMs).unref();
  }

  #requestPoll(): void {
    if (this.#state !== 'running') return;
    this.#isPollRequested = true;
    this.#polling ??= takeTurnsForAll(() => this.#poll()).finally(() => {
      this.#polling = undefined;
      // A poll was requested while this one was ending.
      if (this.#isPollRequested) this.#requestPoll();
    });
  }

  /**
   * Stops the worker: starts no new messages, waits up to `stopTimeoutMs` for those being sent, and leaves the rest in the
   * outbox.
   */
  async stop(): Promise<void> {
    if (this.#state === 'running') this.#state = 'stopping';
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#nudgeTimer);
    await this.#polling;
    const finished = new AbortController();
    const sent = Promise.all(this.#sending.values()).then(() => finished.abort());
    await Promise.race([
      sent,
      sleep(this.#options.stopTimeoutMs, undefined, { signal: finished.signal }).catch(() => {}),
    ]);
    clearInterval(this.#renewalTimer);
    // A message that is still being sent may or may not arrive: another worker takes it only when its lease ends.
    this.#state = 'stopped';
  }

  async #poll(): Promise<void> {
    clearTimeout(this.#pollTimer);
    let wait = this.#options.pollIntervalMs;
    try {
      while (this.#isPollRequested && this.#state === 'running') {
        this.#isPollRequested = false;
        wait = Math.min(await this.#fillSlots(), this.#options.pollIntervalMs);
      }
    } catch (error) {
      this.#log.error({ err: error }, 'The outbox could not be read.');
    }
    if (this.#state === 'running') this.#pollTimer = setTimeout(() => this.#requestPoll(), wait).unref();
  }

  /** Starts sending as many messages as the concurrency allows. Returns the milliseconds until there is more to do. */
  async #fillSlots(): Promise<number> {
    const slots = this.#options.concurrency - this.#sending.size;
    // Each finished message triggers the next poll.
    if (slots <= 0) return Number.POSITIVE_INFINITY;
    const next = await nextDueAt(this.#db);
    if (next === undefined) return Number.POSITIVE_INFINITY;
    const now = this.#options.now();
    if (next > now) return next - now;
    const claim = { worker: this.#name, now, leaseMs: this.#options.leaseMs };
    const claimed = await this.#db.transaction().execute((trx) => claimMail(trx, slots, claim));
    if (this.#state !== 'running') await this.#release(claimed);
    else for (const message of claimed) this.#startSending(message);
    if (claimed.length > 0) this.#isPollRequested = true;
    return this.#options.pollIntervalMs;
  }

  #startSending(message: OutboxRow): void {
    const work = this.#deliver(message)
      .catch((error) =>
        this.#log.error({ err: error, ...about(message) }, 'The outcome of a delivery could not be recorded.'),
      )
      .finally(() => {
        this.#sending.delete(message.id);
        this.nudge();
      });
    this.#sending.set(message.id, work);
  }

  async #deliver(message: OutboxRow): Promise<void> {
    try {
      await recorded(
        message.traceparent === null ? undefined : stepOfHeader(message.traceparent)?.child(),
        { name: 'mail', kind: 'client' },
        async () => {
          await this.#transport.send(message);
          return true;
        },
        (isSent) => ({
          attributes: { 'freehold.account_id': message.account_id, 'freehold.mail': message.id },
          hasFailed: !isSent,
        }),
      );
    } catch (error) {
      // The end of the program interrupted the delivery, so its outcome is unknown: see `stop`.
      if (this.#state === 'stopped') return;
      return this.#recordFailure(
        message,
        error instanceof DeliveryError ? error : new DeliveryError(String(error), false),
      );
    }
    await this.#recordSentInBatch(message.id);
    const outcome = this.#transport.delivers ? 'Mail sent.' : 'Mail kept as a file.';
    this.#log.info({ ...about(message), attempts: message.attempts + 1 }, outcome);
  }

  /** Records messages that were sent at about the same time in one transaction, with one sync to disk. */
  #recordSentInBatch(id: number): Promise<void> {
    if (!this.#sentBatch) {
      const ids: number[] = [];
      const recorded = sleep(this.#options.batchDelayMs).then(() => {
        this.#sentBatch = undefined;
        const record = this.#transport.delivers ? recordSent : recordKept;
        return this.#retryRecording(() =>
          this.#db.transaction().execute((trx) => record(trx, ids, this.#options.now())),
        );
      });
      this.#sentBatch = { ids, recorded };
    }
    this.#sentBatch.ids.push(id);
    return this.#sentBatch.recorded;
  }

  async #recordFailure(message: OutboxRow, { message: serverReply, isPermanent }: DeliveryError): Promise<void> {
    const { now, random } = this.#options;
    const attempts = message.attempts + 1;
    const delay = isPermanent ? undefined : retryDelay(attempts, random);
    const dueAt = delay === undefined ? undefined : now() + delay;
    await this.#db
      .transaction()
      .execute((trx) => recordFailure(trx, message, { serverReply, dueAt, isRefused: isPermanent }));
    // Removes the address, which servers often repeat, from the log.
    const details = { ...about(message), attempts, reason: serverReply.replaceAll(message.to_email, '…') };
    if (delay === undefined)
      this.#log.error(details, 'Mail failed, and is kept. Send it again with the command mail retry.');
    else this.#log.warn({ ...details, delay }, 'Mail not sent; it will be tried again.');
  }

  /** Retries the recording of sent mail, which would otherwise be sent again. The lease is renewed in the meantime. */
  async #retryRecording(record: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await record();
      } catch (error) {
        // Retries for as long as the database is unavailable.
        if ((attempt >= 20 && !isUnavailable(error)) || this.#state === 'stopped') throw error;
        await sleep(Math.min(attempt * 100, MAX_RETRY_DELAY_MS));
      }
    }
  }

  async #renew(): Promise<void> {
    const ids = [...this.#sending.keys()];
    if (ids.length === 0) return;
    const claim = { worker: this.#name, now: this.#options.now(), leaseMs: this.#options.leaseMs };
    try {
      await this.#db.transaction().execute((trx) => renewClaims(trx, ids, claim));
    } catch (error) {
      this.#log.warn({ err: error }, 'The leases of mail that is being sent could not be renewed.');
    }
  }

  async #release(messages: OutboxRow[]): Promise<void> {
    const ids = messages.map(({ id }) => id);
    if (ids.length === 0) return;
    const claim = { worker: this.#name, now: this.#options.now() };
    await this.#db.transaction().execute((trx) => releaseClaims(trx, ids, claim));
  }
}

function about({ id, account_id, message_id, traceparent }: OutboxRow) {
  return { mail: id, account: account_id, messageId: message_id, ...traceField(traceparent) };
}
