import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Span } from '../spans.ts';

/** The most spans that wait to be sent; later ones are dropped. */
const MAX_WAITING = 2048;
/** A batch is sent when it has `MAX_BATCH_SPANS`, or after `MAX_DELAY_MS`. */
const MAX_BATCH_SPANS = 512;
const MAX_DELAY_MS = 5000;
const TIMEOUT_MS = 10_000;
/** How long sending the last spans may take when the service stops. */
const STOP_TIMEOUT_MS = 2000;

/** The protocol's codes. */
const KINDS = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;
/** The statuses after which a batch may be sent again. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

interface ExporterOptions {
  /** The address of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Sends spans to an OpenTelemetry collector by OTLP, as JSON over HTTP (https://opentelemetry.io/docs/specs/otlp). The
 * queue is bounded: while the collector is unreachable, later spans are dropped, and nothing blocks.
 */
export class SpanExporter {
  readonly #options: ExporterOptions;
  #waiting: Span[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isFailing = false;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  readonly record = (span: Span): void => {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= MAX_BATCH_SPANS && !this.#isFailing) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), MAX_DELAY_MS).unref();
  };

  /** Sends all waiting spans after the send in progress, if any. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      // Schedules the spans recorded meanwhile, or those to be sent again.
      if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.flush(), MAX_DELAY_MS).unref();
    });
    return this.#sending;
  }

  /** Sends the waiting spans, but waits only briefly for an unreachable collector. */
  async stop(): Promise<void> {
    const sent = (async () => {
      await this.#sending;
      await this.flush();
    })();
    await Promise.race([sent, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    clearTimeout(this.#timer);
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MAX_BATCH_SPANS);
      const failure = await this.#send(batch);
      if (failure?.isTemporary) return this.#noteFailure(failure.reason);
      // Spans recorded during the request were appended after the batch.
      this.#waiting = this.#waiting.slice(batch.length);
      if (failure) {
        this.#dropped += batch.length;
        this.#noteFailure(failure.reason);
      } else this.#noteSuccess();
    }
  }

  async #send(batch: readonly Span[]): Promise<{ reason: string; isTemporary: boolean } | undefined> {
    const { endpoint, headers } = this.#options;
    try {
      const { ok, status, body } = await fetch(`${endpoint}/v1/traces`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(this.#document(batch)),
        // The headers contain secrets meant for the collector alone.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await body?.cancel();
      return ok ? undefined : { reason: `it answered with ${status}`, isTemporary: RETRYABLE.has(status) };
    } catch (error) {
      return { reason: reasonOf(error), isTemporary: true };
    }
  }

  /** Logs only the first of several failures: the collector may be unreachable for days. */
  #noteFailure(reason: string): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#options.log.warn({ reason }, 'spans cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT; some will be lost');
  }

  #noteSuccess(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#options.log.info({ lost: this.#dropped }, 'spans can be sent again');
    this.#dropped = 0;
  }

  #document(batch: readonly Span[]) {
    const resource = { 'service.name': this.#options.serviceName, 'process.pid': process.pid };
    return {
      resourceSpans: [
        {
          resource: { attributes: attributesOf(resource) },
          scopeSpans: [{ scope: { name: 'freehold' }, spans: batch.map(spanJson) }],
        },
      ],
    };
  }
}

function spanJson({ step, name, kind, start, end, attributes, hasFailed }: Span) {
  return {
    traceId: step.id,
    spanId: step.spanId,
    ...(step.parentId && { parentSpanId: step.parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: attributesOf(attributes),
    status: hasFailed ? { code: STATUS_ERROR } : {},
  };
}

function attributesOf(attributes: Span['attributes']) {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    // OTLP's JSON encodes 64-bit integers as strings.
    return [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }];
  });
}

/** Returns nanoseconds since 1970 as text, since they exceed the precision of a number. */
function nanoseconds(at: number): string {
  return `${Math.round((performance.timeOrigin + at) * 1000)}000`;
}

/** Returns a reason that does not contain the address, which may include a key. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error;
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : name;
}
