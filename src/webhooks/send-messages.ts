import { setImmediate } from 'node:timers/promises';
import { type Message, sendMessage } from './message.ts';
import { type Attempt, isTaken, type Send } from './send.ts';
import type { Secrets } from './sign.ts';

/** Messages for one address, in their order. */
export interface MessagesToSend {
  readonly url: string;
  readonly secrets: Secrets;
  readonly messages: readonly Message[];
}

/** Sends the first messages, one after another. Returns the attempts at them: of these, all but the last one were taken. */
export type SendMessages = (toSend: MessagesToSend) => Promise<readonly Attempt[]>;

/** For how long messages are sent before the caller hears of any. */
const MAX_SENDING_MS = 250;

/** Returns what sends messages until one is not taken, or for a while; `stop` ends it at once. */
export function messageSender(send: Send, stop: AbortSignal): SendMessages {
  return async ({ messages, ...receiver }) => {
    const attempts: Attempt[] = [];
    const end = Date.now() + MAX_SENDING_MS;
    for (const message of messages) {
      const attempt = await sendMessage(receiver, message, send);
      // The end of the process is nobody's failure: the message is sent by the next one.
      if (attempt.status === null && stop.aborted) break;
      attempts.push(attempt);
      if (!isTaken(attempt) || stop.aborted || attempt.at + attempt.duration >= end) break;
      // Other answers that have arrived are read first: without that, sending to 20 webhooks takes a quarter more processor time.
      await setImmediate();
    }
    return attempts;
  };
}
