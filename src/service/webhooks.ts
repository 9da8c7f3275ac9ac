import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { takeTurnsForAll } from '../db/connection-turns.ts';
import type { Db } from '../db/database.ts';
import { deliverEvents } from '../webhooks/deliver-events.ts';
import { SendingThread } from '../webhooks/sending-thread.ts';
import type { WebhookSettings } from '../webhooks/webhook.ts';

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

/** How long an event waits at most if another process, or no request, has caused it. */
const INTERVAL_MS = 500;
/** How long a nudge waits for others, to share a query with them. */
const NUDGE_DELAY_MS = 50;
/** How many webhooks are sent to at once, so that a slow receiver blocks one place, not all. */
const PLACES = 10;
/** As many more are sent to whose receivers answer quickly: those of many accounts that do not must not keep them waiting. */
const QUICK_PLACES = 10;

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
  /** Returns what begins to send in one more of the places, unless all are taken: events of certain accounts, or of all. */
  const sendingIn = (places: number, quickOnly: boolean) => {
    let taken = 0;
    const begin = (accounts?: readonly number[]) => {
      if (taken >= places || signal.aborted) return;
      taken += 1;
      // Where one webhook has events, others may have some too.
      const onClaimed = () => begin(accounts);
      const work: Promise<void> = takeTurnsForAll(() =>
        deliverEvents(db, 1, { ...options, quickOnly, accounts, onClaimed }),
      )
        .catch((error: unknown) => {
          log.warn({ err: error }, 'could not send events to webhooks; it will be tried again');
          return 0;
        })
        .then((turns) => {
          taken -= 1;
          running.delete(work);
          // As long as there is something to do.
          if (turns > 0) begin(accounts);
        });
      running.add(work);
    };
    return begin;
  };
  const begin = sendingIn(PLACES, false);
  const beginQuick = sendingIn(QUICK_PLACES, true);
  const poll = () => {
    begin();
    beginQuick();
  };
  poll();
  const timer = setInterval(poll, INTERVAL_MS).unref();
  const nudged = new Set<number>();
  let nudgeTimer: NodeJS.Timeout | undefined;
  return {
    nudge: (accountId) => {
      nudged.add(accountId);
      nudgeTimer ??= setTimeout(() => {
        nudgeTimer = undefined;
        const accounts = [...nudged];
        nudged.clear();
        beginQuick(accounts);
      }, NUDGE_DELAY_MS).unref();
    },
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
