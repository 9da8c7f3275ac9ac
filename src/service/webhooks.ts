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

/** How long an event waits at most until it is noticed. */
const INTERVAL_MS = 500;
/** How many webhooks are sent to at once, so that a slow receiver blocks one place, not all. */
const PLACES = 10;
/** As many more are sent to whose receivers answer quickly: those of many accounts that do not must not keep them waiting. */
const QUICK_PLACES = 10;

/** Sends events to webhooks while the service runs. Returns how to stop, which records what was sent. */
export function startWebhooks({ db, config, log, onMailQueued }: WebhookOptions): () => Promise<void> {
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
  /** Returns what begins to send in one more of the places, unless all are taken. */
  const sendingIn = (places: number, quickOnly: boolean) => {
    let taken = 0;
    const send = async () => {
      const deliver = () => deliverEvents(db, 1, { ...options, quickOnly });
      try {
        // As long as there is something to do. Where one webhook has events, others may have some too.
        while (!signal.aborted && (await takeTurnsForAll(deliver)) > 0) begin();
      } catch (error) {
        log.warn({ err: error }, 'could not send events to webhooks; it will be tried again');
      }
    };
    const begin = () => {
      if (taken >= places) return;
      taken += 1;
      const work: Promise<void> = send().finally(() => {
        taken -= 1;
        running.delete(work);
      });
      running.add(work);
    };
    return begin;
  };
  const begin = sendingIn(PLACES, false);
  const beginQuick = sendingIn(QUICK_PLACES, true);
  const timer = setInterval(() => {
    begin();
    beginQuick();
  }, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await thread.stop();
    await Promise.all(running);
    await thread.end();
  };
}
