import { setImmediate } from 'node:timers/promises';
import { type Message, sendMessage } from './message.ts';
import { type Attempt, isAccepted, type Send } from './send.ts';
import type { Secrets } from './sign.ts';

/** Messages to one address, in order. */
export interface MessagesToSend {
  readonly url: string;
  readonly secrets: Secrets;
  readonly messages: readonly Message[];
}

/** Sends the first messages one after another, until one is refused or some time has passed. Returns the attempts. */
export type SendMessages = (toSend: MessagesToSend) => Promise<readonly Attempt[]>;

/** How long messages are sent before the caller gets the result. */
const MAX_SENDING_MS = 250;

/** Returns the function that sends messages until one is refused, or for a while. `stop` ends it at once. */
export function messageSender(send: Send, stop: AbortSignal): SendMessages {
  return async ({ messages, ...receiver }) => {
    const attempts: Attempt[] = [];
    const end = Date.now() + MAX_SENDING_MS;
    for (const message of messages) {
      const attempt = await sendMessage(receiver, message, send);
      // A message that the end of the process cut off is not a failure: the next process sends it.
      if (attempt.status === null && stop.aborted) break;
      attempts.push(attempt);
      if (!isAccepted(attempt) || stop.aborted || attempt.at + attempt.duration >= end) break;
      // Lets other responses be read first. Without this, sending to 20 webhooks takes a quarter more processor time.
      await setImmediate();
    }
    return attempts;
  };
}
