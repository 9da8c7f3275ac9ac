import type { Logger } from 'pino';
import type { AccountEvent } from '../audit/read-events.ts';
import type { Db } from '../db/database.ts';
import { retryDelay } from '../mail/retry-delays.ts';
import { stepOfHeader, traceField } from '../trace.ts';
import { LEASE_MS } from './claim-webhooks.ts';
import { type Delivery, recordDeliveries } from './deliveries.ts';
import { reportPause } from './report-pause.ts';
import { isTaken, type Send } from './send.ts';
import { sendEvent } from './send-event.ts';
import { voidClaim, type WebhookRow } from './webhook.ts';

/** How long deliveries wait until they are recorded together. */
const RECORD_INTERVAL_MS = 250;
/** A receiver that takes longer than this is slow: it is sent to beside other slow ones alone. */
const SLOW_MS = 1000;
/** The answer by which a receiver says that it wants nothing more. */
const GONE = 410;

export interface ProgressOptions {
  /** A name that no other worker has. */
  readonly worker: string;
  readonly send: Send;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly signal: AbortSignal;
  readonly mailFrom: string;
  /** Called after a transaction that queued mail. */
  readonly onMailQueued: () => void;
  /** Spreads the delays before another attempt; from 0 up to 1. */
  readonly random?: () => number;
}

/** An event that was sent, and the request that caused it. */
interface SentEvent extends Delivery {
  readonly traceparent: string | null;
}

/** How far a turn of a webhook has come, and what of that is not recorded yet. */
export class Progress {
  readonly #db: Db;
  #webhook: WebhookRow;
  readonly #options: ProgressOptions;
  #state: Pick<WebhookRow, 'last_event_id' | 'failures' | 'failing_since' | 'is_slow'>;
  #sent: SentEvent[] = [];
  #failure: Delivery | undefined;
  #recordedAt = Date.now();
  /** The last recording that has begun. */
  #recording: Promise<void> = Promise.resolve();
  #isOurs = true;

  constructor(db: Db, webhook: WebhookRow, options: ProgressOptions) {
    this.#db = db;
    this.#webhook = webhook;
    this.#options = options;
    const { last_event_id, failures, failing_since, is_slow } = webhook;
    this.#state = { last_event_id, failures, failing_since, is_slow };
  }

  /** Whether the last answer took long. */
  get isSlow(): boolean {
    return this.#state.is_slow === 1;
  }

  /** Whether the turn may go on: nobody has changed the webhook, as far as its recordings know, and none has failed. */
  get isOurs(): boolean {
    return this.#isOurs;
  }

  get isDue(): boolean {
    return this.#sent.length > 0 && Date.now() - this.#recordedAt >= RECORD_INTERVAL_MS;
  }

  pass({ id }: AccountEvent): void {
    // Failures are those of the event that comes next.
    this.#state = { ...this.#state, last_event_id: id, failures: 0, failing_since: null };
  }

  /** Returns whether the receiver has taken it. */
  async deliver(event: AccountEvent): Promise<boolean> {
    const cause = event.traceparent === null ? undefined : stepOfHeader(event.traceparent);
    const attempt = await sendEvent(this.#webhook, event, cause, this.#options.send);
    // The end of the process is nobody's failure: the event is sent by the next one.
    if (attempt.status === null && this.#options.signal.aborted) return false;
    const delivery = { ...attempt, eventId: event.id };
    this.#sent.push({ ...delivery, traceparent: event.traceparent });
    const wasTaken = isTaken(attempt);
    if (wasTaken) this.pass(event);
    else this.#fail(delivery);
    this.#state.is_slow = Number(attempt.duration > SLOW_MS);
    return wasTaken;
  }

  #fail(delivery: Delivery): void {
    const { failures, failing_since } = this.#state;
    this.#state = { ...this.#state, failures: failures + 1, failing_since: failing_since ?? delivery.at };
    this.#failure = delivery;
  }

  /**
   * Begins to record what was done, while the next events are sent. Waits for the recording before it: after a crash, the events of two
   * at most are sent again.
   */
  async beginRecording(): Promise<void> {
    await this.#recording;
    if (!this.#isOurs) return;
    this.#recording = this.#record({ isLast: false });
    // The error is thrown by whatever waits for the recording.
    this.#recording.catch(() => {
      this.#isOurs = false;
    });
  }

  /** Records all that was done, and gives the webhook back. */
  async finish(): Promise<void> {
    await this.#recording;
    await this.#record({ isLast: true });
  }

  async #record({ isLast }: { isLast: boolean }): Promise<void> {
    const { worker, mailFrom, onMailQueued } = this.#options;
    const [sent, failure] = [this.#sent, this.#failure];
    this.#sent = [];
    // All at once: to write each line by itself takes a fifth of the processor time of a delivery.
    for (const event of sent) this.#log(event);
    this.#recordedAt = Date.now();
    const values = { ...this.#state, ...(isLast ? this.#release() : { due_at: this.#recordedAt + LEASE_MS }) };
    const isPaused = 'paused_at' in values;
    this.#isOurs = await this.#db.transaction().execute(async (trx) => {
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
        // Somebody has changed the webhook meanwhile. It waits for the end of this turn, whose outcome counts no more.
        const released = { claimed_by: null, due_at: Date.now() };
        if (isLast) await update.set(released).where('claimed_by', '=', voidClaim(worker)).execute();
        return false;
      }
      // A change of the secret leaves the turn as it is.
      this.#webhook = { ...this.#webhook, ...secrets };
      await recordDeliveries(trx, this.#webhook, sent);
      if (isPaused) await reportPause(trx, this.#webhook, failure!, mailFrom);
      return true;
    });
    if (this.#isOurs && isPaused) onMailQueued();
  }

  /** Names neither the address, which may have a secret in it, nor what the receiver says. */
  #log({ eventId: event, status, duration, traceparent }: SentEvent): void {
    const { id: webhook, account_id: account } = this.#webhook;
    const details = { webhook, account, event, status, ms: duration, ...traceField(traceparent) };
    if (isTaken({ status })) this.#options.log.info(details, 'Event sent.');
    else this.#options.log.warn(details, 'Event not sent; it will be tried again unless the webhook is paused.');
  }

  /** Returns when the webhook is due again: never if it has failed for too long. */
  #release() {
    const now = Date.now();
    if (!this.#failure) return { claimed_by: null, due_at: now };
    const isGone = this.#failure.status === GONE;
    const delay = isGone ? undefined : retryDelay(this.#state.failures, this.#options.random);
    return { claimed_by: null, due_at: now + (delay ?? 0), ...(delay === undefined && { paused_at: now }) };
  }
}
