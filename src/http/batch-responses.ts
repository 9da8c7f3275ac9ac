import type { ServerResponse } from 'node:http';
import type { HttpResponse, RequestContext } from './request-context.ts';
import { respond } from './respond.ts';
import { UnsentBodies } from './unsent-bodies.ts';

export interface AnsweredRequest {
  readonly ctx: RequestContext;
  readonly response: ServerResponse;
  /** When the request arrived, by `performance.now()`. */
  readonly at: number;
  readonly answer: HttpResponse;
}

export interface ResponseOptions {
  /** Returns the response to an error that the handler threw. */
  readonly failureOf: (error: unknown, ctx: RequestContext) => HttpResponse;
  /** Told of every answer when it is done with, and how long it took. */
  readonly onAnswered: (ctx: RequestContext, response: ServerResponse, milliseconds: number) => void;
  /** Tells whether the service stops, and each answer is the last on its connection. */
  readonly isStopping: () => boolean;
}

/** Returns a function that sends responses, those of one turn of the event loop together. See `batchRequests`. */
export function batchResponses({ failureOf, onAnswered, isStopping }: ResponseOptions) {
  let answered: AnsweredRequest[] = [];
  const unsent = new UnsentBodies();

  const note = ({ ctx, response, at }: AnsweredRequest, now: number) => onAnswered(ctx, response, now - at);

  /** Sends one answer. If that fails, only its own client gets an error: others wait behind it. */
  const sendOne = ({ ctx, response, answer }: AnsweredRequest): boolean => {
    // A client that always sends another request must not delay the stop.
    if (isStopping()) response.shouldKeepAlive = false;
    try {
      return respond(response, ctx, answer, unsent);
    } catch (error) {
      if (response.headersSent) {
        response.destroy();
        return true;
      }
      // Otherwise Node keeps the status message of the answer that failed.
      response.statusMessage = '';
      return respond(response, ctx, failureOf(error, ctx), unsent);
    }
  };

  const sendAll = (): void => {
    const all = answered;
    answered = [];
    const sent = all.filter((one) => {
      const isDone = sendOne(one) || one.response.closed;
      if (!isDone) one.response.on('close', () => note(one, performance.now()));
      return isDone;
    });
    const now = performance.now();
    for (const one of sent) note(one, now);
  };

  return (one: AnsweredRequest): void => {
    if (answered.push(one) === 1) process.nextTick(sendAll);
  };
}
