import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { takeTurnsForAll } from '../db/connection-turns.ts';
import type { Db } from '../db/database.ts';
import { deliverEvents } from '../webhooks/deliver-events.ts';
import { SendingShares } from '../webhooks/sending-shares.ts';
import { SendingThread } from '../webhooks/sending-thread.ts';
import type { WebhookRow, WebhookSettings } from '../webhooks/webhook.ts';
import { allWebhooks, getNextRange } from '../webhooks/webhook-range.ts';

interface WebhookOptions {
  readonly db: Db;
  readonly config: WebhookSettings & { readonly dnsServers: readonly string[]; readonly mailFrom: string };
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly onMailQueued: () => void;
}

/**
 * The interval between polls of each range of webhooks. An event that no request in this process caused waits at most this
 * long.
 */
const INTERVAL_MS = 500;
/** How long a nudge waits for others to share one query. */
const NUDGE_DELAY_MS = 50;
/** How many webhooks are sent to at once. A slow receiver blocks one slot, not all. */
const SLOTS = 20;
/** Additional slots for receivers that answer quickly, so that slow receivers of many accounts do not delay them. */
const QUICK_SLOTS = 20;
/**
 * The most slots of each kind that a top-level account with all accounts below it may use, and that each of its customers
 * may use.
 */
const MAX_PER_TOP_LEVEL = 10;
const MAX_PER_CUSTOMER = 5;
/** How many webhooks each poll checks. Each takes microseconds, whether it has events or not. */
const POLL_BATCH_SIZE = 1000;

/** Starts sending events to webhooks while the service runs. */
export function startWebhooks(options: WebhookOptions): Webhooks {
  const webhooks = new Webhooks(options);
  webhooks.start();
  return webhooks;
}

/** Sends events to webhooks: those of accounts with changes, and those that polls find. */
export class Webhooks {
  readonly #db: Db;
  readonly #log: WebhookOptions['log'];
  readonly #thread: SendingThread;
  readonly #deliveryOptions: Omit<
    Parameters<typeof deliverEvents>[1],
    'shares' | 'isQuickOnly' | 'among' | 'onClaimed'
  >;
  readonly #stopping = new AbortController();
  /** Deliveries and polls that have not ended. */
  readonly #running = new Set<Promise<void>>();
  readonly #slots = new DeliverySlots(SLOTS, { isQuickOnly: false });
  readonly #quickSlots = new DeliverySlots(QUICK_SLOTS, { isQuickOnly: true });
  /** The range of webhooks that the last poll has chosen. */
  #range = allWebhooks;
  #isPolling = false;
  #pollTimer: NodeJS.Timeout | undefined;
  /** The accounts that `nudge` was called for since the last check. */
  readonly #nudgedAccounts = new Set<number>();
  #nudgeTimer: NodeJS.Timeout | undefined;

  constructor({ db, config, log, onMailQueued }: WebhookOptions) {
    this.#db = db;
    this.#log = log;
    this.#thread = new SendingThread(config);
    this.#deliveryOptions = {
      worker: randomUUID(),
      send: this.#thread.send,
      log,
      signal: this.#stopping.signal,
      mailFrom: config.mailFrom,
      onMailQueued,
    };
  }

  start(): void {
    this.#poll();
    this.#pollTimer = setInterval(() => this.#poll(), INTERVAL_MS).unref();
  }

  /** Checks shortly afterwards whether the account has events to send. Call it after the commit of a change; it is cheap. */
  nudge(accountId: number): void {
    this.#nudgedAccounts.add(accountId);
    this.#nudgeTimer ??= this.#scheduleNudgedDelivery();
  }

  /** Aborts messages being sent, and records which ones were sent. */
  async stop(): Promise<void> {
    clearInterval(this.#pollTimer);
    clearTimeout(this.#nudgeTimer);
    this.#stopping.abort();
    await this.#thread.stop();
    await Promise.all(this.#running);
    await this.#thread.end();
  }

  /** Moves on to the next range of webhooks, and starts a delivery in each kind of slots. */
  #poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    this.#run(async () => {
      try {
        this.#range = await getNextRange(this.#db, this.#range, POLL_BATCH_SIZE);
      } finally {
        this.#isPolling = false;
      }
      this.#startDelivery(this.#slots);
      this.#startDelivery(this.#quickSlots);
    });
  }

  #scheduleNudgedDelivery(): NodeJS.Timeout {
    return setTimeout(() => this.#startNudgedDelivery(), NUDGE_DELAY_MS).unref();
  }

  #startNudgedDelivery(): void {
    this.#nudgeTimer = undefined;
    if (this.#stopping.signal.aborted) return;
    if (this.#startDelivery(this.#quickSlots, [...this.#nudgedAccounts])) this.#nudgedAccounts.clear();
    // All slots are taken: try again later.
    else this.#nudgeTimer = this.#scheduleNudgedDelivery();
  }

  /**
   * Starts sending events of the given accounts, or of the webhooks in the current range, in one more of the slots. Returns
   * true if one was free.
   */
  #startDelivery(slots: DeliverySlots, accounts?: readonly number[]): boolean {
    if (this.#stopping.signal.aborted || !slots.take()) return false;
    this.#run(() => this.#deliver(slots, accounts));
    return true;
  }

  async #deliver(slots: DeliverySlots, accounts: readonly number[] | undefined): Promise<void> {
    const { shares, isQuickOnly } = slots;
    let account: number | undefined;
    const onClaimed = (webhook: WebhookRow) => {
      account = webhook.account_id;
      // Where one webhook has events, others may have some, too.
      this.#startDelivery(slots, accounts);
    };
    try {
      const among = accounts ?? this.#range;
      await deliverEvents(this.#db, { ...this.#deliveryOptions, shares, isQuickOnly, among, onClaimed });
    } finally {
      slots.giveBack();
    }
    if (account === undefined) return;
    // Continues as long as there are events to send.
    this.#startDelivery(slots, accounts);
    // The range may have moved on, and the account may have events that came too late for this delivery.
    this.nudge(account);
  }

  /** Runs background work that `stop` waits for, and logs its failure. */
  #run(work: () => Promise<void>): void {
    const done: Promise<void> = takeTurnsForAll(work)
      .catch((error: unknown) => {
        this.#log.warn({ err: error }, 'could not send events to webhooks; it will be tried again');
      })
      .then(() => void this.#running.delete(done));
    this.#running.add(done);
  }
}

/** Slots in which events are delivered, one webhook in each, with the shares that accounts have in them. */
class DeliverySlots {
  readonly shares = new SendingShares({ maxPerTopLevel: MAX_PER_TOP_LEVEL, maxPerCustomer: MAX_PER_CUSTOMER });
  /** True if only webhooks whose receiver answers quickly are sent to. */
  readonly isQuickOnly: boolean;
  readonly #count: number;
  #taken = 0;

  constructor(count: number, { isQuickOnly }: { isQuickOnly: boolean }) {
    this.#count = count;
    this.isQuickOnly = isQuickOnly;
  }

  /** Takes a slot. Returns false if none is free. */
  take(): boolean {
    if (this.#taken >= this.#count) return false;
    this.#taken += 1;
    return true;
  }

  giveBack(): void {
    this.#taken -= 1;
  }
}
