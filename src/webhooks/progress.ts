import type { Logger } from 'pino';
import type { AccountEvent } from '../audit/read-events.ts';
import type { Db } from '../db/database.ts';
import { retryDelay } from '../mail/retry-delays.ts';
import { stepOfHeader, traceField } from '../trace.ts';
import { LEASE_MS } from './claim-webhook.ts';
import { type Delivery, recordDeliveries } from './deliveries.ts';
import { eventMessage, type Message, recordSending } from './message.ts';
import { reportPause } from './report-pause.ts';
import { type Attempt, isAccepted } from './send.ts';
import type { SendMessages } from './send-messages.ts';
import { type EventKind, readKinds, voidClaim, type WebhookRow } from './webhook.ts';

/** How often deliveries are recorded, several at a time. */
const RECORD_INTERVAL_MS = 250;
/** How many events are handed over at first. */
const FIRST_EVENTS = 100;
const MIN_EVENTS = 10;
/**
 * The factors by which the next batch exceeds the number of accepted events: `GROWTH` if the receiver took the whole batch,
 * else `MARGIN`. Events that it does not take have to be prepared again.
 */
const GROWTH = 4;
const MARGIN = 1.25;
/** A receiver that takes longer is slow, and shares slots only with other slow receivers. */
const SLOW_MS = 1000;
/** The status by which a receiver says that it wants nothing more. */
const GONE = 410;

export interface ProgressOptions {
  /** A unique name of the worker. */
  readonly worker: string;
  readonly send: SendMessages;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly signal: AbortSignal;
  readonly mailFrom: string;
  /** Called after a transaction that queued mail. */
  readonly onMailQueued: () => void;
  /** Spreads the delays before retries; returns a number from 0 up to 1. */
  readonly random?: () => number;
}

/** An event that was sent, and the request that caused it. */
interface SentEvent extends Delivery {
  readonly traceparent: string | null;
}

/** The progress of a delivery run, and the part of it that is not recorded yet. */
export class Progress {
  readonly #db: Db;
  #webhook: WebhookRow;
  readonly #options: ProgressOptions;
  readonly #kinds: readonly EventKind[] | null;
  #state: Pick<WebhookRow, 'last_event_id' | 'failures' | 'failing_since' | 'is_slow'>;
  #sent: SentEvent[] = [];
  #failure: Delivery | undefined;
  #recordedAt = Date.now();
  #hasLostTrack = false;
  #size = FIRST_EVENTS;

  constructor(db: Db, webhook: WebhookRow, options: ProgressOptions) {
    this.#db = db;
    this.#webhook = webhook;
    this.#options = options;
    this.#kinds = readKinds(webhook.kinds);
    const { last_event_id, failures, failing_since, is_slow } = webhook;
    this.#state = { last_event_id, failures, failing_since, is_slow };
  }

  /** True if the last response took long. */
  get isSlow(): boolean {
    return this.#state.is_slow === 1;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  get isDue(): boolean {
    return this.#sent.length > 0 && Date.now() - this.#recordedAt >= RECORD_INTERVAL_MS;
  }

  /** Sends the first of the events for a while, and skips unwanted ones. Returns how many events are done. */
  async deliver(events: readonly AccountEvent[]): Promise<number> {
    const prepared = events
      .filter((event) => this.#isWanted(event))
      .slice(0, this.#size)
      .map((event) => this.#prepare(event));
    const attempts = prepared.length === 0 ? [] : await this.#send(prepared);
    const factor = attempts.length < prepared.length ? MARGIN : GROWTH;
    this.#size = Math.max(MIN_EVENTS, Math.ceil(factor * attempts.length));
    let done = 0;
    let sent = 0;
    for (const event of events) {
      if (this.#isWanted(event)) {
        const attempt = attempts[sent];
        if (!attempt) break;
        recordSending(this.#webhook, prepared[sent]!.step, attempt);
        sent += 1;
        if (!this.#note(event, attempt)) break;
      } else this.#pass(event);
      done += 1;
    }
    return done;
  }

  #isWanted({ type }: AccountEvent): boolean {
    return this.#kinds === null || this.#kinds.some((kind) => type.startsWith(`${kind}.`));
  }

  #prepare(event: AccountEvent) {
    const cause = event.traceparent === null ? undefined : stepOfHeader(event.traceparent);
    const step = cause?.child();
    return { step, message: eventMessage(this.#webhook.account_id, event, step) };
  }

  #send(prepared: ReadonlyArray<{ message: Message }>): Promise<readonly Attempt[]> {
    const { url, secret, old_secret, old_secret_until } = this.#webhook;
    const secrets = { secret, old_secret, old_secret_until };
    return this.#options.send({ url, secrets, messages: prepared.map(({ message }) => message) });
  }

  #pass({ id }: AccountEvent): void {
    // Failures are counted per event, so the next event starts at zero.
    this.#state = { ...this.#state, last_event_id: id, failures: 0, failing_since: null };
  }

  /** Adds an attempt to the progress. Returns true if the receiver accepted the event. */
  #note(event: AccountEvent, attempt: Attempt): boolean {
    const delivery = { ...attempt, eventId: event.id };
    this.#sent.push({ ...delivery, traceparent: event.traceparent });
    const wasAccepted = isAccepted(attempt);
    if (wasAccepted) this.#pass(event);
    else this.#fail(delivery);
    this.#state.is_slow = Number(attempt.duration > SLOW_MS);
    return wasAccepted;
  }

  #fail(delivery: Delivery): void {
    const { failures, failing_since } = this.#state;
    this.#state = { ...this.#state, failures: failures + 1, failing_since: failing_since ?? delivery.at };
    this.#failure = delivery;
  }

  /** Records the progress since the last recording. Returns true if the run may go on, because the webhook is unchanged. */
  async record(): Promise<boolean> {
    this.#hasLostTrack = true;
    const isOurs = await this.#record({ isLast: false });
    this.#hasLostTrack = false;
    return isOurs;
  }

  /**
   * Records the remaining progress, and releases the webhook. After a failed recording, only the end of the lease releases
   * it.
   */
  async finish(): Promise<void> {
    if (!this.#hasLostTrack) await this.#record({ isLast: true });
  }

  async #record({ isLast }: { isLast: boolean }): Promise<boolean> {
    const { worker, mailFrom, onMailQueued } = this.#options;
    const [sent, failure] = [this.#sent, this.#failure];
    this.#sent = [];
    // Logs all deliveries at once: writing each line separately takes a fifth of the processor time of a delivery.
    for (const event of sent) this.#log(event);
    this.#recordedAt = Date.now();
    const values = { ...this.#state, ...(isLast ? this.#release() : { due_at: this.#recordedAt + LEASE_MS }) };
    const isPaused = 'paused_at' in values;
    const isOurs = await this.#db.transaction().execute(async (trx) => {
      const update = trx
        .updateTable('webhooks')
        .where('account_id', '=', this.#webhook.account_id)
        .where('id', '=', this.#webhook.id);
      const secrets = await update
        .set(values)
        .where('claimed_by', '=', worker)
        .returning(['secret', 'old_secret', 'old_secret_until'])
        .executeTakeFirst();
      if (!secrets) {
        // The webhook was changed during the run. It waits for the end of this run, whose outcome is ignored.
        const released = { claimed_by: null, due_at: Date.now() };
        if (isLast) await update.set(released).where('claimed_by', '=', voidClaim(worker)).execute();
        return false;
      }
      // A changed secret does not end the run.
      this.#webhook = { ...this.#webhook, ...secrets };
      await recordDeliveries(trx, this.#webhook, sent);
      if (isPaused) await reportPause(trx, this.#webhook, failure!, mailFrom);
      return true;
    });
    if (isOurs && isPaused) onMailQueued();
    return isOurs;
  }

  /** Logs neither the address, which may contain a secret, nor the response. */
  #log({ eventId: event, status, duration, traceparent }: SentEvent): void {
    const { id: webhook, account_id: account } = this.#webhook;
    const details = { webhook, account, event, status, ms: duration, ...traceField(traceparent) };
    if (isAccepted({ status })) this.#options.log.info(details, 'Event sent.');
    else this.#options.log.warn(details, 'Event not sent; it will be tried again unless the webhook is paused.');
  }

  /**
   * Returns the columns that release the webhook: due again now or after a delay, or paused if it has failed for too long.
   */
  #release() {
    const now = Date.now();
    if (!this.#failure) return { claimed_by: null, due_at: now };
    const isGone = this.#failure.status === GONE;
    const delay = isGone ? undefined : retryDelay(this.#state.failures, this.#options.random);
    return { claimed_by: null, due_at: now + (delay ?? 0), ...(delay === undefined && { paused_at: now }) };
  }
}
