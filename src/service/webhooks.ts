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
  /** Looks a moment later whether events of that account wait. Call it after the commit of a change; it costs next to nothing. */
  nudge(accountId: number): void;
  /** Ends what is being sent, and records what was sent. */
  stop(): Promise<void>;
}

/** How long an event waits at most if another process, or no request, has caused it: so often for each range of webhooks. */
const INTERVAL_MS = 500;
/** How long a nudge waits for others, to share a query with them. */
const NUDGE_DELAY_MS = 50;
/** How many webhooks are sent to at once, so that a slow receiver blocks one place, not all. */
const PLACES = 20;
/** As many more are sent to whose receivers answer quickly: those of many accounts that do not must not keep them waiting. */
const QUICK_PLACES = 20;
/** How many of either a top-level account with all accounts below it has at most, and each of its customers. */
const MAX_PER_TOP_LEVEL = 10;
const MAX_PER_CUSTOMER = 5;
/** How many webhooks are looked at in each interval. It takes microseconds for each, whether it has events or not. */
const LOOKED_AT_TOGETHER = 1000;

/** Sends events to webhooks while the service runs. */
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
  /** Returns what begins to send in one more of the places, which tells whether there was one. */
  const sendingIn = (places: number, quickOnly: boolean) => {
    const shares = new SendingShares({ maxPerTopLevel: MAX_PER_TOP_LEVEL, maxPerCustomer: MAX_PER_CUSTOMER });
    let taken = 0;
    /** Sends events of certain accounts, or to the webhooks in the range. */
    const begin = (accounts?: readonly number[]): boolean => {
      if (taken >= places || signal.aborted) return false;
      taken += 1;
      run(async () => {
        let account: number | undefined;
        const onClaimed = (webhook: WebhookRow) => {
          account = webhook.account_id;
          // Where one webhook has events, others may have some too.
          begin(accounts);
        };
        try {
          await deliverEvents(db, { ...options, shares, quickOnly, among: accounts ?? range, onClaimed });
        } finally {
          taken -= 1;
        }
        if (account === undefined) return;
        // As long as there is something to do.
        begin(accounts);
        // The range may be another one now, and the account may have events that came too late for this turn.
        nudge(account);
      });
      return true;
    };
    return begin;
  };
  const begin = sendingIn(PLACES, false);
  const beginQuick = sendingIn(QUICK_PLACES, true);
  let isPolling = false;
  const poll = () => {
    if (isPolling) return;
    isPolling = true;
    run(async () => {
      try {
        range = await getNextRange(db, range, LOOKED_AT_TOGETHER);
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
    // There is a place later.
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
