import type { IncomingMessage } from 'node:http';
import type { Transferable } from 'node:worker_threads';
import type { Config } from './config.ts';
import { takeTurnsAs } from './db/connection-turns.ts';
import { faultsOf } from './db/faults.ts';
import { openDatabase } from './db/open-database.ts';
import { AppError } from './errors.ts';
import { largeAdminAnswerer } from './http/admin/answer-large.ts';
import { parse } from './http/admin/request.ts';
import { largeApiAnswerer } from './http/api/answer-large.ts';
import { network } from './http/client.ts';
import type { BodyType, LargeAnswer, LargeQuestion } from './http/large-requests.ts';
import type { RequestContext } from './http/request-context.ts';
import { followTimeline } from './tenancy/follow-timeline.ts';
import { stepOfHeader } from './trace.ts';

/** Returns the function with which a thread answers large requests, on its own connection to the database. */
export async function answerLarge(config: Config): Promise<(question: LargeQuestion) => Promise<LargeAnswer>> {
  const db = await openDatabase(
    { ...config, databaseReplicaUrl: '', databasePool: 1, hasLongStatements: true, isForLargeRequests: true },
    followTimeline,
  );
  let errors: [object, string][] = [];
  let isMailQueued = false;
  const log = { error: (details: object, message: string) => void errors.push([details, message]) };
  const onMailQueued = () => {
    isMailQueued = true;
  };
  const answerApi = largeApiAnswerer({ db, config, log, onMailQueued });
  const answerAdmin = largeAdminAnswerer({ db, config, log });
  const resultOf = async (question: LargeQuestion): Promise<LargeAnswer['result']> => {
    const bytes = question.bytes && Buffer.from(question.bytes.buffer);
    if (question.task === 'parse') return parseLarge(bytes!, question.type);
    const { request, traceparent, ...rest } = question.ctx;
    const trace = stepOfHeader(traceparent)!;
    const ctx: RequestContext = {
      ...rest,
      trace,
      // The properties below are all that is read of a request once its body has been read.
      request: request as IncomingMessage,
      extraHeaders: [],
      route: '',
      siteAccountId: undefined,
    };
    const answer = () => (question.surface === 'api' ? answerApi(ctx, bytes) : answerAdmin(ctx, bytes));
    const { status, headers, body } = await takeTurnsAs(network(ctx.ip), answer, trace);
    if (typeof body === 'string')
      return { status, headers, body: body.length > MIN_TRANSFERRED_CHARACTERS ? bytesOf(body) : body };
    if (!Buffer.isBuffer(body)) throw new Error('No answer from here is streamed.');
    return { status, headers, body: new Uint8Array(body) };
  };
  return async (question) => {
    const result = await resultOf(question);
    // Frees the memory at once: the garbage collection after the answer would not find it yet.
    question.bytes?.buffer.transfer(0);
    const answer: LargeAnswer = { result, isMailQueued, errors, damage: faultsOf(db).damage };
    [errors, isMailQueued] = [[], false];
    return answer;
  };
}

function parseLarge(bytes: Buffer, type: BodyType): LargeAnswer['result'] {
  try {
    return { document: parse(bytes, type) };
  } catch (error) {
    // An AppError would lose its class on the way to the main thread.
    if (error instanceof AppError) return { malformed: error.message };
    throw error;
  }
}

/** Returns the bytes of a body in a buffer of its own, which can be transferred. */
function bytesOf(body: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(body.length);
  bytes.write(body, 'latin1');
  return new Uint8Array(bytes.buffer);
}

/** In characters. Longer bodies are transferred as bytes. */
const MIN_TRANSFERRED_CHARACTERS = 32 * 1024;

export function toTransfer({ result }: LargeAnswer): Transferable[] {
  return 'body' in result && typeof result.body !== 'string' ? [result.body.buffer] : [];
}
