import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_PLAIN_URL_BYTES } from './request-problem.ts';

export interface ArrivedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** When the request arrived, by `performance.now()`. */
  readonly at: number;
}

/**
 * Returns a listener that passes requests on after the turn of the event loop in which they arrived. Requests that arrive
 * together are answered together, and so share their lookups. Each step is done for all of them before the next step starts.
 * A processor that switches between our code, Node's and the kernel's loses its nearest caches. Answering requests one by
 * one takes twice the processor time for unchanged lists and accounts; sending the answers one by one, a tenth more.
 */
export function batchRequests(answer: (arrived: ArrivedRequest) => void) {
  let arrived: ArrivedRequest[] = [];
  /** Requests with long URLs. Each turn of the event loop answers one of them: reading 1 MB takes milliseconds. */
  const long: ArrivedRequest[] = [];

  const answerAll = (): void => {
    const batch = arrived;
    arrived = [];
    for (const each of batch) answer(each);
  };
  const answerLong = (): void => {
    answer(long.shift()!);
    if (long.length > 0) setImmediate(answerLong);
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    // All requests of one turn of the event loop arrived before it began.
    const at = arrived[0]?.at ?? performance.now();
    if ((request.url?.length ?? 0) > MAX_PLAIN_URL_BYTES) {
      if (long.push({ request, response, at }) === 1) setImmediate(answerLong);
    } else if (arrived.push({ request, response, at }) === 1) setImmediate(answerAll);
  };
}
