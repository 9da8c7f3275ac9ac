import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { WorkerThread } from '../worker-thread.ts';
import type { ErrorLog } from './error-log.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';
import type { FindRequestHolder } from './request-holders.ts';
import { UnsentAnswers } from './unsent-answers.ts';

export type BodyType = 'json' | 'form';

/** A message to the thread: a request to answer, which has been admitted already, or a body to parse. */
export type LargeQuestion = AnswerQuestion | ParseQuestion;

interface AnswerQuestion {
  readonly task: 'answer';
  readonly surface: 'api' | 'admin';
  readonly ctx: Pick<RequestContext, 'id' | 'path' | 'query' | 'ip' | 'isHttps' | 'keyOwner' | 'sessionOwner'> & {
    readonly traceparent: string;
    readonly request: Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders'>;
  };
  /** The body, or undefined if there is none and the request is large because of its URL. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
}

interface ParseQuestion {
  readonly task: 'parse';
  readonly type: BodyType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface LargeAnswer {
  /** The response, whose body may be bytes, or the parsed fields. */
  readonly result:
    | { readonly status: number; readonly headers: readonly string[]; readonly body: string | Uint8Array<ArrayBuffer> }
    | { readonly document: unknown }
    | { readonly malformed: string };
  readonly isMailQueued: boolean;
  /** Entries for the log. */
  readonly errors: readonly (readonly [details: object, message: string])[];
  /** The damage that the thread has found in the database. */
  readonly damage: string | undefined;
}

/**
 * Answers a request after it has been admitted and its body has been read.
 * @throws AppError `unavailable` if too many large answers wait for their clients; nothing is changed then.
 */
export type AnswerInThread = LargeRequests['answer'];

interface LargeRequestOptions {
  /** The script that the thread runs. */
  readonly script: URL;
  readonly config: Config;
  readonly log: ErrorLog;
  /** Finds the holder on whose share a request counts. */
  readonly findHolder: FindRequestHolder;
  readonly onMailQueued: () => void;
  /** Called when the database is found to be damaged. */
  readonly onDamage: (damage: string) => void;
  /** Pass one object to several threads to count their answers together. */
  readonly unsent?: UnsentAnswers;
}

/**
 * Answers large requests in a separate thread with its own connection to the database. Decoding, parsing and storing 16 MB
 * takes hundreds of milliseconds of processor time, during which no other request would be answered.
 */
export class LargeRequests {
  readonly #options: LargeRequestOptions;
  readonly #unsent: UnsentAnswers;
  #thread: WorkerThread<LargeQuestion, LargeAnswer> | undefined;

  constructor(options: LargeRequestOptions) {
    this.#options = options;
    this.#unsent = options.unsent ?? new UnsentAnswers();
  }

  readonly answer = async (
    surface: AnswerQuestion['surface'],
    ctx: RequestContext,
    bytes: Buffer | undefined,
  ): Promise<HttpResponse> => {
    const { id, trace, path, query, ip, isHttps, keyOwner, sessionOwner, request } = ctx;
    const { method, headers, rawHeaders } = request;
    const holder = await this.#options.findHolder(ctx);
    if (surface === 'admin') this.#unsent.checkRoom(holder);
    const result = await this.#ask({
      task: 'answer',
      surface,
      ctx: {
        id,
        traceparent: String(trace),
        path,
        query,
        ip,
        isHttps,
        keyOwner,
        sessionOwner,
        request: { method, headers, rawHeaders },
      },
      bytes: bytes && ownBytes(bytes),
    });
    if (!('status' in result)) throw new Error('The thread has not answered.');
    const { body } = result;
    return {
      ...result,
      body: typeof body === 'string' ? body : this.#unsent.counted(holder, Buffer.from(body.buffer)),
    };
  };

  readonly parse = async (type: BodyType, bytes: Buffer): Promise<unknown> => {
    const result = await this.#ask({ task: 'parse', type, bytes: ownBytes(bytes) });
    if ('malformed' in result) throw new AppError('malformed', result.malformed);
    if (!('document' in result)) throw new Error('The thread has parsed nothing.');
    return result.document;
  };

  /** Ends the thread. Call this when no request waits for it any longer. */
  async close(): Promise<void> {
    await this.#thread?.end();
  }

  async #ask(question: LargeQuestion): Promise<LargeAnswer['result']> {
    const { log, onDamage, onMailQueued } = this.#options;
    try {
      this.#thread ??= this.#start();
      const asked = this.#thread.request(question, question.bytes ? [question.bytes.buffer] : []);
      const { result, isMailQueued, errors, damage } = await asked;
      for (const [details, message] of errors) log.error(details, message);
      if (damage !== undefined) onDamage(damage);
      if (isMailQueued) onMailQueued();
      return result;
    } catch (error) {
      log.error({ err: error }, 'the thread for large requests failed');
      throw new AppError('unavailable', 'The service cannot do this at the moment. Try again.');
    }
  }

  #start(): WorkerThread<LargeQuestion, LargeAnswer> {
    const { script, config } = this.#options;
    const thread: WorkerThread<LargeQuestion, LargeAnswer> = new WorkerThread(
      script,
      { name: 'large-requests', workerData: config },
      () => {
        if (this.#thread === thread) this.#thread = undefined;
      },
    );
    return thread;
  }
}

/** Answers long requests, which take minutes, side by side: a single thread answers one after another. */
export class LargeRequestThreads {
  readonly #threads: ReadonlyArray<{ readonly requests: LargeRequests; underWay: number }>;

  constructor(count: number, options: LargeRequestOptions) {
    this.#threads = Array.from({ length: count }, () => ({ requests: new LargeRequests(options), underWay: 0 }));
  }

  readonly answer: AnswerInThread = async (...request) => {
    const leastBusy = this.#threads.reduce((least, one) => (one.underWay < least.underWay ? one : least));
    // Count it at once: other requests may choose a thread before this one has reached its own.
    leastBusy.underWay += 1;
    try {
      return await leastBusy.requests.answer(...request);
    } finally {
      leastBusy.underWay -= 1;
    }
  };

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ requests }) => requests.close()));
  }
}

/** Returns the bytes in a buffer that holds nothing else, and can be transferred to the thread. */
function ownBytes(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength === length;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
