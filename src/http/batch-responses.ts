import type { ServerResponse } from 'node:http';
import type { Holder } from '../tenancy/holder.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';
import type { FindRequestHolder } from './request-holders.ts';
import { respond } from './respond.ts';
import { countedBody, UnsentBodies } from './unsent-bodies.ts';

export interface AnsweredRequest {
  readonly ctx: RequestContext;
  readonly response: ServerResponse;
  /** When the request arrived, by `performance.now()`. */
  readonly at: number;
  readonly answer: HttpResponse;
}

interface Answered extends AnsweredRequest {
  /** Set if the body is large, and counts towards the holder's share of the memory for bodies. */
  readonly holder?: Holder;
}

export interface ResponseOptions {
  readonly findHolder: FindRequestHolder;
  /** Returns the response to an error that the handler threw. */
  readonly failureOf: (error: unknown, ctx: RequestContext) => HttpResponse;
  /** Called for every answer when it is finished, with the time it took. */
  readonly onAnswered: (ctx: RequestContext, response: ServerResponse, milliseconds: number) => void;
  /** Returns whether the service is stopping, so that each answer must be the last on its connection. */
  readonly isStopping: () => boolean;
}

/** Returns a function that sends all responses of one turn of the event loop together. See `batchRequests`. */
export function batchResponses({ findHolder, failureOf, onAnswered, isStopping }: ResponseOptions) {
  let answered: Answered[] = [];
  const unsent = new UnsentBodies();

  const report = ({ ctx, response, at }: AnsweredRequest, now: number) => onAnswered(ctx, response, now - at);

  /** Sends one answer. If sending fails, only this client gets an error; the answers behind it are still sent. */
  const sendOne = ({ ctx, response, answer, holder }: Answered): boolean => {
    // A client that keeps sending requests must not delay the stop.
    if (isStopping()) response.shouldKeepAlive = false;
    try {
      if (holder) unsent.hold(holder, countedBody(answer)!, response);
      return respond(response, ctx, answer);
    } catch (error) {
      if (response.headersSent) {
        response.destroy();
        return true;
      }
      // Otherwise Node would send the status message of the failed answer.
      response.statusMessage = '';
      return respond(response, ctx, failureOf(error, ctx));
    }
  };

  const sendAll = (): void => {
    const all = answered;
    answered = [];
    const sent = all.filter((one) => {
      const isDone = sendOne(one) || one.response.closed;
      if (!isDone) one.response.on('close', () => report(one, performance.now()));
      return isDone;
    });
    const now = performance.now();
    for (const one of sent) report(one, now);
  };

  const send = (one: Answered): void => {
    if (answered.push(one) === 1) process.nextTick(sendAll);
  };

  return (one: AnsweredRequest): void => {
    const { ctx, answer } = one;
    const holder = ctx.request.method === 'HEAD' || countedBody(answer) === undefined ? undefined : findHolder(ctx);
    if (holder instanceof Promise) {
      holder.then(
        (found) => send({ ...one, holder: found }),
        (error) => send({ ...one, answer: failureOf(error, ctx) }),
      );
    } else {
      send(holder ? { ...one, holder } : one);
    }
  };
}
