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

export interface Webhooks {
  /** Checks shortly afterwards whether the account has events to send. Call it after the commit of a change; it is cheap. */
  nudge(accountId: number): void;
  /** Aborts messages being sent, and records which ones were sent. */
  stop(): Promise<void>;
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
export function startWebhooks({ db, config, log, onMailQueued }: WebhookOptions): Webhooks {
  const stopping = new AbortController();
  const { signal } = stopping;
  const thread = new SendingThread(config);
  const options = {
    worker: randomUUID(),
    send: thread.send,
    log,
    signal,
    mailFrom: config.mailFrom,
    onMailQueued,
  };
  const running = new Set<Promise<void>>();
  const run = (work: () => Promise<void>) => {
    const done: Promise<void> = takeTurnsForAll(work)
      .catch((error: unknown) => {
        log.warn({ err: error }, 'could not send events to webhooks; it will be tried again');
      })
      .then(() => void running.delete(done));
    running.add(done);
  };
  let range = allWebhooks;
  /** Returns a function that starts sending in one more of the slots, and returns true if one was free. */
  const createSender = (slots: number, quickOnly: boolean) => {
    const shares = new SendingShares({ maxPerTopLevel: MAX_PER_TOP_LEVEL, maxPerCustomer: MAX_PER_CUSTOMER });
    let taken = 0;
    /** Sends events of the given accounts, or of the webhooks in the current range. */
    const begin = (accounts?: readonly number[]): boolean => {
      if (taken >= slots || signal.aborted) return false;
      taken += 1;
      run(async () => {
        let account: number | undefined;
        const onClaimed = (webhook: WebhookRow) => {
          account = webhook.account_id;
          // Where one webhook has events, others may have some, too.
          begin(accounts);
        };
        try {
          await deliverEvents(db, { ...options, shares, quickOnly, among: accounts ?? range, onClaimed });
        } finally {
          taken -= 1;
        }
        if (account === undefined) return;
        // Continues as long as there are events to send.
        begin(accounts);
        // The range may have moved on, and the account may have events that came too late for this delivery.
        nudge(account);
      });
      return true;
    };
    return begin;
  };
  const begin = createSender(SLOTS, false);
  const beginQuick = createSender(QUICK_SLOTS, true);
  let isPolling = false;
  const poll = () => {
    if (isPolling) return;
    isPolling = true;
    run(async () => {
      try {
        range = await getNextRange(db, range, POLL_BATCH_SIZE);
      } finally {
        isPolling = false;
      }
      begin();
      beginQuick();
    });
  };
  poll();
  const timer = setInterval(poll, INTERVAL_MS).unref();
  const nudged = new Set<number>();
  let nudgeTimer: NodeJS.Timeout | undefined;
  const nudge = (accountId: number) => {
    nudged.add(accountId);
    nudgeTimer ??= setTimeout(beginNudged, NUDGE_DELAY_MS).unref();
  };
  const beginNudged = () => {
    nudgeTimer = undefined;
    if (signal.aborted) return;
    if (beginQuick([...nudged])) nudged.clear();
    // All slots are taken: try again later.
    else nudgeTimer = setTimeout(beginNudged, NUDGE_DELAY_MS).unref();
  };
  return {
    nudge,
    stop: async () => {
      clearInterval(timer);
      clearTimeout(nudgeTimer);
      stopping.abort();
      await thread.stop();
      await Promise.all(running);
      await thread.end();
    },
  };
}
