import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { takeTurnsForAll } from '../db/connection-turns.ts';
import type { Db } from '../db/database.ts';
import { deliverEvents } from '../webhooks/deliver-events.ts';
import { sender } from '../webhooks/send.ts';
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
const PLACES = 20;

/** Sends events to webhooks while the service runs. Returns how to stop, which records what was sent. */
export function startWebhooks({ db, config, log, onMailQueued }: WebhookOptions): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const options = {
    worker: randomUUID(),
    send: sender(config, signal),
    log,
    signal,
    mailFrom: config.mailFrom,
    onMailQueued,
  };
  const running = new Set<Promise<void>>();
  const run = async () => {
    try {
      // As long as there is something to do. Where one webhook has events, others may have some too.
      while (!signal.aborted && (await takeTurnsForAll(() => deliverEvents(db, 1, options))) > 0) begin();
    } catch (error) {
      log.warn({ err: error }, 'could not send events to webhooks; it will be tried again');
    }
  };
  const begin = () => {
    if (running.size >= PLACES) return;
    const work: Promise<void> = run().finally(() => running.delete(work));
    running.add(work);
  };
  const timer = setInterval(begin, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await Promise.all(running);
  };
}
