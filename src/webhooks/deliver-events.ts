import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { eventJson } from '../audit/event-json.ts';
import { type AccountEvent, readEvents } from '../audit/read-events.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { retryDelay } from '../mail/retry-delays.ts';
import { stepOfHeader, type Trace, traceField } from '../trace.ts';
import { recordDeliveries } from './deliveries.ts';
import { reportPause } from './report-pause.ts';
import { type Attempt, isTaken, type Send } from './send.ts';
import { sendTraced } from './send-traced.ts';
import { type EventKind, readKinds, voidClaim, type WebhookRow } from './webhook.ts';

/** How long the webhooks of a crashed process wait for another one. Renewed whenever deliveries are recorded. */
const LEASE_MS = 60_000;
/** How many events one turn of a webhook reads: then others have theirs. */
const MAX_EVENTS = 500;
/** How long a turn goes on: with one more attempt it is far below a lease, and a slow receiver keeps its place from nobody. */
const MAX_TURN_MS = 10_000;
/** How many webhooks of one account have their turn at once. */
const MAX_OF_ACCOUNT = 5;
/** How long deliveries wait until they are recorded together. Those of so long are made once more after a crash. */
const RECORD_INTERVAL_MS = 250;
/** A receiver that takes longer than this is slow: it is sent to beside other slow ones alone. */
const SLOW_MS = 1000;
/** The answer by which a receiver says that it wants nothing more. */
const GONE = 410;

interface DeliverOptions {
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
  /** Leaves out webhooks whose receivers are slow, and ends the turn of one that has become so. */
  readonly quickOnly?: boolean;
}

/**
 * Sends events to up to `places` webhooks that have some and are due, each in the order of its account. An event is sent until it is
 * answered with a status from 200 to 299, and the next ones wait. Returns how many webhooks had their turn.
 */
export async function deliverEvents(db: Db, places: number, options: DeliverOptions): Promise<number> {
  if (!(await dueWebhooks(db, 1, options).executeTakeFirst())) return 0;
  const claimed = await db.transaction().execute((trx) => claimWebhooks(trx, places, options));
  await Promise.all(claimed.map((webhook) => deliverTo(db, webhook, options)));
  return claimed.length;
}

/** The webhooks that are due and have events, of accounts that are active. */
function dueWebhooks(db: Db | Trx, limit: number, { quickOnly = false }: DeliverOptions) {
  const now = Date.now();
  return db
    .selectFrom('webhooks')
    .innerJoin('accounts', 'accounts.id', 'webhooks.account_id')
    .select('webhooks.id')
    .where('webhooks.due_at', '<=', now)
    .where('webhooks.paused_at', 'is', null)
    .where('webhooks.removed_at', 'is', null)
    .$if(quickOnly, (query) => query.where('webhooks.is_slow', '=', 0))
    .where('accounts.status', '=', 'active')
    .where('accounts.deleted_at', 'is', null)
    .where('accounts.deletes_at', 'is', null)
    .where((e) =>
      e.exists(
        e
          .selectFrom('audit_log')
          .select('audit_log.id')
          .whereRef('audit_log.account_id', '=', 'webhooks.account_id')
          .whereRef('audit_log.id', '>', 'webhooks.last_event_id'),
      ),
    )
    .where((e) =>
      e(
        e
          .selectFrom('webhooks as others')
          .select((of) => of.fn.countAll<number>().as('count'))
          .whereRef('others.account_id', '=', 'webhooks.account_id')
          .where('others.claimed_by', 'is not', null)
          .where('others.due_at', '>', now),
        '<',
        MAX_OF_ACCOUNT,
      ),
    )
    .orderBy('webhooks.due_at')
    .limit(limit);
}

async function claimWebhooks(trx: Trx, limit: number, options: DeliverOptions): Promise<WebhookRow[]> {
  const due = dueWebhooks(trx, limit, options);
  return (
    trx
      // PostgreSQL must run the sub-query once: a second run would skip the rows that the first has locked.
      .with(
        (cte) => cte('due').materialized(),
        () => (dialectOf(trx) === 'postgres' ? due.forUpdate('webhooks').skipLocked() : due),
      )
      .updateTable('webhooks')
      .set({ claimed_by: options.worker, due_at: Date.now() + LEASE_MS })
      .where('id', 'in', (e) => e.selectFrom('due').select('id'))
      .returningAll()
      .execute()
  );
}

/** An attempt to send an event. */
export interface Delivery extends Attempt {
  readonly eventId: number;
}

async function deliverTo(db: Db, webhook: WebhookRow, options: DeliverOptions): Promise<void> {
  const { account_id: accountId, last_event_id: after } = webhook;
  const kinds = readKinds(webhook.kinds);
  const events = await db.transaction().execute((trx) => readEvents(trx, accountId, { after, limit: MAX_EVENTS }));
  const progress = new Progress(db, webhook, options);
  const end = Date.now() + MAX_TURN_MS;
  for (const event of events) {
    if (options.signal.aborted || Date.now() > end) break;
    if (!isWanted(event, kinds)) progress.pass(event);
    else if (!(await progress.deliver(event)) || (options.quickOnly && progress.isSlow)) break;
    if (progress.isDue && !(await progress.record({ isLast: false }))) return;
    await setImmediate();
  }
  await progress.record({ isLast: true });
}

function isWanted({ type }: AccountEvent, kinds: readonly EventKind[] | null): boolean {
  return kinds === null || kinds.some((kind) => type.startsWith(`${kind}.`));
}

/** What a turn of a webhook has done and not recorded yet. */
class Progress {
  readonly #db: Db;
  readonly #webhook: WebhookRow;
  readonly #options: DeliverOptions;
  #last: number;
  #deliveries: Delivery[] = [];
  #failure: Delivery | undefined;
  #recordedAt = Date.now();
  #isSlow: boolean;

  constructor(db: Db, webhook: WebhookRow, options: DeliverOptions) {
    this.#db = db;
    this.#webhook = webhook;
    this.#options = options;
    this.#last = webhook.last_event_id;
    this.#isSlow = webhook.is_slow === 1;
  }

  /** Whether the last answer took long. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  get isDue(): boolean {
    return this.#deliveries.length > 0 && Date.now() - this.#recordedAt >= RECORD_INTERVAL_MS;
  }

  pass({ id }: AccountEvent): void {
    this.#last = id;
  }

  /** Returns whether the receiver has taken it. */
  async deliver(event: AccountEvent): Promise<boolean> {
    const cause = event.traceparent === null ? undefined : stepOfHeader(event.traceparent);
    const attempt = await sendEvent(this.#webhook, event, cause, this.#options.send);
    // The end of the process is nobody's failure: the event is sent by the next one.
    if (attempt.status === null && this.#options.signal.aborted) return false;
    const delivery = { ...attempt, eventId: event.id };
    this.#deliveries.push(delivery);
    this.#isSlow = attempt.duration > SLOW_MS;
    const wasTaken = isTaken(attempt);
    if (wasTaken) this.#last = event.id;
    else this.#failure = delivery;
    this.#log(event, attempt, wasTaken);
    return wasTaken;
  }

  /** Names neither the address, which may have a secret in it, nor what the receiver says. */
  #log(event: AccountEvent, { status, duration }: Attempt, wasTaken: boolean): void {
    const { id: webhook, account_id: account } = this.#webhook;
    const details = { webhook, account, event: event.id, status, ms: duration, ...traceField(event.traceparent) };
    if (wasTaken) this.#options.log.info(details, 'Event sent.');
    else this.#options.log.warn(details, 'Event not sent; it will be tried again unless the webhook is paused.');
  }

  /** Returns whether the webhook is still this worker's. */
  async record({ isLast }: { isLast: boolean }): Promise<boolean> {
    const { worker, mailFrom, onMailQueued } = this.#options;
    const [deliveries, failure] = [this.#deliveries, this.#failure];
    this.#deliveries = [];
    this.#recordedAt = Date.now();
    const next = this.#next(isLast);
    const isPaused = 'paused_at' in next;
    const isOurs = await this.#db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('webhooks')
        .set({ ...next, last_event_id: this.#last, is_slow: Number(this.#isSlow), ...(isLast && { claimed_by: null }) })
        .where('account_id', '=', this.#webhook.account_id)
        .where('id', '=', this.#webhook.id)
        .where('claimed_by', '=', worker)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) {
        // Somebody has changed the webhook meanwhile, and it waits for the end of this turn.
        await trx
          .updateTable('webhooks')
          .set({ claimed_by: null, due_at: Date.now() })
          .where('account_id', '=', this.#webhook.account_id)
          .where('id', '=', this.#webhook.id)
          .where('claimed_by', '=', voidClaim(worker))
          .execute();
        return false;
      }
      await recordDeliveries(trx, this.#webhook, deliveries);
      if (isPaused) await reportPause(trx, this.#webhook, failure!, mailFrom);
      return true;
    });
    if (isOurs && isPaused) onMailQueued();
    return isOurs;
  }

  #next(isLast: boolean) {
    const now = Date.now();
    const failure = this.#failure;
    // Failures are those of the event that comes next.
    const isAnswered = this.#last !== this.#webhook.last_event_id;
    if (!failure) {
      return { due_at: isLast ? now : now + LEASE_MS, ...(isAnswered && { failures: 0, failing_since: null }) };
    }
    const failures = isAnswered ? 1 : this.#webhook.failures + 1;
    const delay = failure.status === GONE ? undefined : retryDelay(failures, this.#options.random);
    return {
      failures,
      failing_since: isAnswered ? failure.at : (this.#webhook.failing_since ?? failure.at),
      due_at: now + (delay ?? 0),
      ...(delay === undefined && { paused_at: now }),
    };
  }
}

/** Sends one event, whatever else waits, as a step that `cause` has caused. */
export function sendEvent(
  webhook: WebhookRow,
  event: AccountEvent,
  cause: Trace | undefined,
  send: Send,
): Promise<Attempt> {
  const body = JSON.stringify(eventJson(webhook.account_id, event));
  const message = { id: `event_${event.id}`, body, at: Date.now() };
  return sendTraced(webhook, { message, cause }, send);
}
