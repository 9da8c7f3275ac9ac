import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Span } from '../spans.ts';

/** Spans that wait to be sent; more are dropped. */
const MAX_WAITING = 2048;
/** Spans are sent together when there are so many, or after this many milliseconds. */
const MAX_BATCH_SPANS = 512;
const MAX_DELAY_MS = 5000;
const TIMEOUT_MS = 10_000;
/** How long the last spans may take when the service stops. */
const STOP_TIMEOUT_MS = 2000;

/** The numbers of the protocol. */
const KINDS = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;
/** After these, what was sent may be sent again. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

interface ExporterOptions {
  /** The address of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Sends spans to an OpenTelemetry collector by OTLP, as JSON over HTTP (https://opentelemetry.io/docs/specs/otlp). What waits is bounded:
 * while the collector is away, later spans are dropped, and nobody waits for it.
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

  /** Sends what waits, once the sending that is under way has ended. It never fails. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      // Recorded meanwhile, or to be sent again.
      if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.flush(), MAX_DELAY_MS).unref();
    });
    return this.#sending;
  }

  /** Sends what waits, but does not wait long for a collector that is away. */
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
      // While they were sent, others were added behind them only.
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
        // The headers are for the collector alone.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await body?.cancel();
      return ok ? undefined : { reason: `it answers with ${status}`, isTemporary: RETRYABLE.has(status) };
    } catch (error) {
      return { reason: reasonOf(error), isTemporary: true };
    }
  }

  /** Logs the first failure of several: the collector may be away for days. */
  #noteFailure(reason: string): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#options.log.warn({ reason }, 'spans cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT; some will be lost');
  }

  #noteSuccess(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#options.log.info({ lost: this.#dropped }, 'spans are sent again');
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
    // JSON of the protocol writes whole numbers of 64 bits as texts.
    return [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }];
  });
}

/** Returns nanoseconds since 1970, which are too many for a number. */
function nanoseconds(at: number): string {
  return `${Math.round((performance.timeOrigin + at) * 1000)}000`;
}

/** Neither names the address, which may have a key in it. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error;
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : name;
}
