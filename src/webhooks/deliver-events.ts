import { type AccountEvent, readEvents } from '../audit/read-events.ts';
import type { Db } from '../db/database.ts';
import type { ClaimOptions } from './claim-webhook.ts';
import { Progress, type ProgressOptions } from './progress.ts';
import type { SendingShares } from './sending-shares.ts';
import type { WebhookRow } from './webhook.ts';

/** How many events are read at once. */
const BATCH_SIZE = 500;
/** How long a delivery run goes on reading batches, so that other webhooks get their runs. */
const MAX_READING_MS = 1000;
/**
 * The longest delivery run. Together with one more attempt it is far below a lease. It also limits how long a slow receiver
 * keeps its slot.
 */
const MAX_RUN_MS = 10_000;

interface DeliverOptions extends ClaimOptions, ProgressOptions {
  /** Counts the slots that each account's webhooks use. */
  readonly shares: SendingShares;
  /** Called when there is something to send. */
  readonly onClaimed?: (webhook: WebhookRow) => void;
}

/**
 * Sends events to a due webhook, in the order of its account. An event is repeated until its response has a status from 200
 * to 299, and later events wait. Returns true if there was a due webhook with events.
 */
export async function deliverEvents(db: Db, options: DeliverOptions): Promise<boolean> {
  const claimed = await options.shares.claim(db, options);
  if (!claimed) return false;
  try {
    options.onClaimed?.(claimed.webhook);
    await deliverTo(db, claimed.webhook, options);
  } finally {
    options.shares.release(claimed);
  }
  return true;
}

async function deliverTo(db: Db, webhook: WebhookRow, options: DeliverOptions): Promise<void> {
  const progress = new Progress(db, webhook, options);
  try {
    await sendBatches(db, webhook, progress, options);
  } finally {
    await progress.finish();
  }
}

/** Sends until no events are left, the receiver fails, or the run has to end. */
async function sendBatches(
  db: Db,
  webhook: WebhookRow,
  progress: Progress,
  { signal, isQuickOnly }: DeliverOptions,
): Promise<void> {
  const end = Date.now() + MAX_RUN_MS;
  for await (const batch of readBatches(db, webhook)) {
    for (let rest = batch; rest.length > 0; ) {
      if (signal.aborted || Date.now() > end) return;
      if (progress.isDue && !(await progress.record())) return;
      rest = rest.slice(await progress.deliver(rest));
      if (progress.hasFailed || (isQuickOnly && progress.isSlow)) return;
    }
  }
}

/** Yields the waiting events in order. Reads the next batch while one is being sent. */
async function* readBatches(
  db: Db,
  { account_id: accountId, last_event_id }: WebhookRow,
): AsyncGenerator<readonly AccountEvent[]> {
  const end = Date.now() + MAX_READING_MS;
  const read = (after: number) =>
    db.transaction().execute((trx) => readEvents(trx, accountId, { after, limit: BATCH_SIZE }));
  let batch = await read(last_event_id);
  for (;;) {
    const hasNext = batch.length === BATCH_SIZE && Date.now() < end;
    const next = hasNext ? read(batch.at(-1)!.id) : undefined;
    // Prevents an unhandled rejection: the error is thrown when the batch is needed.
    next?.catch(() => {});
    try {
      yield batch;
    } finally {
      // No query may outlast the run.
      await next;
    }
    if (!next) return;
    batch = await next;
  }
}
